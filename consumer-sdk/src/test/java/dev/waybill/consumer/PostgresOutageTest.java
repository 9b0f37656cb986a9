package dev.waybill.consumer;

class PostgresOutageTest extends OutageContract {

  PostgresOutageTest() {
    super(TestDatabase.POSTGRESQL);
  }
}
