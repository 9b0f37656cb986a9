package dev.waybill.it;

class PreflightOnPostgres14Test extends PostgresPreflightSuite {

  PreflightOnPostgres14Test() {
    super(14);
  }
}
