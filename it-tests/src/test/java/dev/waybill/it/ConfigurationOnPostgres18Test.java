package dev.waybill.it;

class ConfigurationOnPostgres18Test extends PostgresConfigurationSuite {

  ConfigurationOnPostgres18Test() {
    super(18);
  }
}
