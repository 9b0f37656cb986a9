package dev.waybill.outbox;

class OutboxOnPostgres14Test extends OutboxOnPostgresContract {

  OutboxOnPostgres14Test() {
    super(14);
  }
}
