package dev.waybill.outbox;

class OutboxOnPostgres16Test extends OutboxOnPostgresContract {

  OutboxOnPostgres16Test() {
    super(16);
  }
}
