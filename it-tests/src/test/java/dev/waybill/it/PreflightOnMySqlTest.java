package dev.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.MySqlServer;

/** MySQL: how the log is written, and a user who may read it. */
class PreflightOnMySqlTest extends PreflightSuite {

  @Override
  DatabaseServer unfitServer() {
    return MySqlServer.builder().setting("binlog_row_image", "MINIMAL").start();
  }

  @Override
  DatabaseServer sharedServer() {
    return Servers.mysql();
  }

  @Override
  void spoil(World unfit) {
    unfit.execute(
        "CREATE USER poor IDENTIFIED BY 'poor'",
        // Or the login would be refused.
        "GRANT SHOW VIEW ON " + unfit.database().name() + ".* TO poor");
  }

  @Override
  String[] problems(World unfit) {
    return new String[] {
      "binlog_row_image is 'MINIMAL'",
      "user `poor`@`%` may not replicate: GRANT REPLICATION CLIENT",
      "user `poor`@`%` may not replicate: GRANT REPLICATION SLAVE",
      "user `poor`@`%` may not read table " + unfit.table()
    };
  }

  /** There is nothing to make; a reader of the log would be the trace of a start. */
  @Override
  void assertNothingWasMade(World unfit) {
    assertThat(
            unfit.query("SELECT count(*) FROM performance_schema.processlist WHERE user = 'poor'"))
        .isEqualTo("0");
  }

  @Override
  String[] schema(String engine) {
    return new String[] {"schema", "--database", "mysql", "--engine", engine};
  }

  @Override
  void createUsers(World world) {
    world.execute(
        "ALTER USER waybill_capture IDENTIFIED BY 'waybill_capture' ACCOUNT UNLOCK",
        "CREATE USER shop_application IDENTIFIED BY 'secret' DEFAULT ROLE waybill_writer");
  }
}
