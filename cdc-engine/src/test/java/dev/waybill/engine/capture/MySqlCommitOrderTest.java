package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MySqlCommitOrderTest extends CommitOrderContract {

  @Override
  Outbox create() throws SQLException {
    return Outbox.mysql();
  }

  @Test
  void only_the_table_of_exactly_this_name_is_captured() throws Exception {
    try (Outbox outbox = create();
        Outbox elsewhere = create()) {
      outbox.execute(
          "CREATE TABLE OUTBOX_EVENT AS SELECT * FROM outbox_event",
          "CREATE TABLE outbox_event_2 LIKE outbox_event",
          "CREATE TABLE `outboxxevent` LIKE outbox_event");
      try (Reading reading = Reading.of(outbox, outbox.begin())) {
        for (String table : new String[] {"OUTBOX_EVENT", "outbox_event_2", "outboxxevent"}) {
          outbox.execute(
              "INSERT INTO "
                  + table
                  + " (event_id, aggregate_type, aggregate_id, event_type)"
                  + " VALUES ('foreign', 'Order', '1', 'OrderPaid')");
        }
        elsewhere.insert("in another database");
        outbox.insert("own");
        assertThat(reading.awaitEventIds(1)).containsExactly("own");
      }
    }
  }

  /** What a table's partitions are is not to be seen in the log. */
  @Test
  void c22_rows_of_a_partitioned_table_are_the_tables_own() throws Exception {
    try (Outbox outbox = create()) {
      outbox.execute(
          "ALTER TABLE outbox_event DROP INDEX event_id, ADD COLUMN day INT NOT NULL DEFAULT 1,"
              + " DROP PRIMARY KEY, ADD PRIMARY KEY (id, day)",
          "ALTER TABLE outbox_event PARTITION BY RANGE (day) (PARTITION p1 VALUES LESS THAN (2))");
      try (Reading reading = Reading.of(outbox, outbox.begin())) {
        outbox.insert("a");
        outbox.execute(
            "ALTER TABLE outbox_event ADD PARTITION (PARTITION p2 VALUES LESS THAN (3))",
            "ALTER TABLE outbox_event ALTER COLUMN day SET DEFAULT 2");
        outbox.insert("b");
        outbox.execute("ALTER TABLE outbox_event DROP PARTITION p1");
        outbox.insert("c");
        assertThat(reading.awaitEventIds(3)).containsExactly("a", "b", "c");
      }
    }
  }
}
