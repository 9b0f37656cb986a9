package dev.waybill.it;

class PreflightOnPostgres18Test extends PostgresPreflightSuite {

  PreflightOnPostgres18Test() {
    super(18);
  }
}
