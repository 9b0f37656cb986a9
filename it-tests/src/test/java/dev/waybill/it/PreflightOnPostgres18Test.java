package dev.waybill.it;

class PreflightOnPostgres18Test extends PreflightSuite {

  PreflightOnPostgres18Test() {
    super(18);
  }
}
