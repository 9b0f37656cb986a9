package dev.waybill.consumer;

class MySqlOneEffectTest extends OneEffectContract {

  MySqlOneEffectTest() {
    super(TestDatabase.MYSQL);
  }
}
