package dev.waybill.consumer;

class PostgresOneEffectTest extends OneEffectContract {

  PostgresOneEffectTest() {
    super(TestDatabase.POSTGRESQL);
  }
}
