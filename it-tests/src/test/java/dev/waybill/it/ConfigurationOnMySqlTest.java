package dev.waybill.it;

import dev.waybill.it.world.World;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.MySqlServer;
import java.util.List;

class ConfigurationOnMySqlTest extends ConfigurationSuite {

  ConfigurationOnMySqlTest() {
    super(World.onMySql());
  }

  @Override
  DatabaseServer unfitServer() {
    return MySqlServer.builder()
        .setting("binlog_format", "STATEMENT")
        .setting("binlog_row_image", "MINIMAL")
        .setting("gtid_mode", "OFF")
        .setting("enforce_gtid_consistency", "OFF")
        .start();
  }

  @Override
  void spoil(World unfit) {
    unfit.execute(
        "CREATE USER waybill_capture IDENTIFIED BY 'waybill_capture'",
        // Or the login would be refused.
        "GRANT SHOW VIEW ON " + unfit.database().name() + ".* TO waybill_capture");
  }

  @Override
  List<String> problems() {
    return List.of(
        "binlog_format",
        "binlog_row_image",
        "gtid_mode",
        "enforce_gtid_consistency",
        "REPLICATION SLAVE",
        "REPLICATION CLIENT",
        "outbox_event");
  }

  @Override
  void dropPrimaryKey() {
    world.execute(
        "ALTER TABLE outbox_event MODIFY id bigint NOT NULL, DROP PRIMARY KEY",
        "ALTER TABLE outbox_event MODIFY id bigint NULL");
  }

  @Override
  void allowNoTime() {
    world.execute("ALTER TABLE outbox_event MODIFY occurred_at datetime(6)");
  }

  @Override
  void createPartitioned(World empty) {
    empty.execute(
        """
        CREATE TABLE outbox_event (
          id bigint NOT NULL PRIMARY KEY,
          event_id varchar(64) NOT NULL,
          aggregate_type varchar(64) NOT NULL,
          aggregate_id varchar(255) NOT NULL,
          aggregate_version bigint,
          event_type varchar(128) NOT NULL,
          event_version integer NOT NULL DEFAULT 1,
          topic varchar(249), event_key varchar(255), payload longtext, headers longtext,
          occurred_at datetime(6) NOT NULL DEFAULT (utc_timestamp(6))
        ) PARTITION BY RANGE (id) (PARTITION p1 VALUES LESS THAN (100))
        """);
  }

  @Override
  void addPartition(World partitioned) {
    partitioned.execute(
        "ALTER TABLE outbox_event ADD PARTITION (PARTITION p2 VALUES LESS THAN (200))");
  }

  @Override
  void dropPartition(World partitioned) {
    partitioned.execute("ALTER TABLE outbox_event DROP PARTITION p1");
  }
}
