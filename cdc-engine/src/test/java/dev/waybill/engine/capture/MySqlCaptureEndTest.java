package dev.waybill.engine.capture;

import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.MySqlServer;
import java.sql.SQLException;

class MySqlCaptureEndTest extends CaptureEndContract {

  @Override
  Outbox create() throws SQLException {
    return Outbox.mysql();
  }

  @Override
  DatabaseServer startServer() {
    return MySqlServer.builder()
        .setting("sync_binlog", "1")
        .setting("innodb_flush_log_at_trx_commit", "1")
        .start();
  }
}
