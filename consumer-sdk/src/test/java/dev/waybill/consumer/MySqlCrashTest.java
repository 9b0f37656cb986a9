package dev.waybill.consumer;

class MySqlCrashTest extends CrashContract {

  MySqlCrashTest() {
    super(TestDatabase.MYSQL);
  }
}
