package dev.waybill.consumer;

class PostgresCrashTest extends CrashContract {

  PostgresCrashTest() {
    super(TestDatabase.POSTGRESQL);
  }
}
