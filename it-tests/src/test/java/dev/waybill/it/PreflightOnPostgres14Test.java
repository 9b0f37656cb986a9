package dev.waybill.it;

class PreflightOnPostgres14Test extends PreflightSuite {

  PreflightOnPostgres14Test() {
    super(14);
  }
}
