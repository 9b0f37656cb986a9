package dev.waybill.outbox;

class OutboxOnPostgres18Test extends OutboxOnPostgresContract {

  OutboxOnPostgres18Test() {
    super(18);
  }
}
