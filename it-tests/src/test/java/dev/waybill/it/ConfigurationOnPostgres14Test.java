package dev.waybill.it;

class ConfigurationOnPostgres14Test extends PostgresConfigurationSuite {

  ConfigurationOnPostgres14Test() {
    super(14);
  }
}
