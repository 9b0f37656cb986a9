package dev.waybill.consumer;

class MySqlOutageTest extends OutageContract {

  MySqlOutageTest() {
    super(TestDatabase.MYSQL);
  }
}
