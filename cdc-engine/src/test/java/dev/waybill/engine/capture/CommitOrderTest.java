package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.sql.Connection;
import java.sql.Savepoint;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** What was committed is captured, in commit order, and nothing else is. */
class CommitOrderTest {

  @Test
  void rows_of_one_transaction_come_in_the_order_they_were_inserted() throws Exception {
    try (Outbox outbox = Outbox.create();
        Reading reading = Reading.of(outbox, outbox.begin())) {
      outbox.insert("a", "b");
      outbox.insert("c");
      assertThat(reading.awaitEventIds(3)).containsExactly("a", "b", "c");
    }
  }

  @Test
  void c16_transactions_come_in_commit_order_which_is_not_id_order() throws Exception {
    try (Outbox outbox = Outbox.create();
        Connection slow = outbox.connect();
        Reading reading = Reading.of(outbox, outbox.begin())) {
      slow.setAutoCommit(false);
      Outbox.insert(slow, "slow-1");
      outbox.insert("quick-2");
      Outbox.insert(slow, "slow-3");
      slow.commit();
      assertThat(reading.awaitEventIds(3)).containsExactly("quick-2", "slow-1", "slow-3");
      assertThat(reading.handler().changes())
          .extracting(change -> change.row().id())
          .containsExactly("2", "1", "3");
    }
  }

  @Test
  void c17_what_was_rolled_back_is_no_event_and_what_was_deleted_is() throws Exception {
    try (Outbox outbox = Outbox.create();
        Connection connection = outbox.connect();
        Statement statement = connection.createStatement();
        Reading reading = Reading.of(outbox, outbox.begin())) {
      connection.setAutoCommit(false);
      Outbox.insert(connection, "keep1");
      Savepoint savepoint = connection.setSavepoint();
      Outbox.insert(connection, "gone");
      connection.rollback(savepoint);
      Outbox.insert(connection, "keep2", "insdel");
      statement.execute("DELETE FROM outbox_event WHERE event_id = 'insdel'");
      connection.commit();
      Outbox.insert(connection, "rb");
      connection.rollback();
      statement.execute("CREATE TEMP TABLE outbox_copy AS SELECT * FROM outbox_event");
      connection.commit();
      Outbox.insert(connection, "end");
      connection.commit();
      assertThat(reading.awaitEventIds(4)).containsExactly("keep1", "keep2", "insdel", "end");
    }
  }

  @Test
  void c19_updates_deletes_and_truncates_are_no_events() throws Exception {
    try (Outbox outbox = Outbox.create();
        Reading reading = Reading.of(outbox, outbox.begin())) {
      outbox.insert("v1");
      outbox.execute(
          "UPDATE outbox_event SET payload = '{\"v\": 2}'",
          "UPDATE outbox_event SET event_id = 'v1-renamed'",
          "DELETE FROM outbox_event",
          "TRUNCATE outbox_event");
      outbox.insert("end");
      assertThat(reading.awaitEventIds(2)).containsExactly("v1", "end");
    }
  }

  @Test
  void rows_that_came_by_copy_are_captured() throws Exception {
    try (Outbox outbox = Outbox.create();
        Connection connection = outbox.connect();
        Reading reading = Reading.of(outbox, outbox.begin())) {
      copy(connection, 5);
      assertThat(reading.awaitEventIds(5)).containsExactly("c1", "c2", "c3", "c4", "c5");
    }
  }

  /** {@code c1}, {@code c2} …: all in one record of the log, at one LSN. */
  static void copy(Connection connection, int rows) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 1; i <= rows; i++) {
      lines.append("c").append(i).append("\tOrder\t1\tOrderPaid\t{}\n");
    }
    copy(connection, lines.toString());
  }

  static void copy(Connection connection, String lines) throws Exception {
    connection
        .unwrap(PGConnection.class)
        .getCopyAPI()
        .copyIn(
            "COPY outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)"
                + " FROM STDIN",
            new StringReader(lines));
  }

  @Test
  void only_the_table_of_exactly_this_name_is_captured() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.execute(
          "CREATE TABLE \"OUTBOX_EVENT\" (LIKE outbox_event INCLUDING ALL)",
          "CREATE TABLE outbox_event_2 (LIKE outbox_event INCLUDING ALL)",
          "ALTER PUBLICATION " + outbox.slot() + " ADD TABLE \"OUTBOX_EVENT\", outbox_event_2");
      try (Reading reading = Reading.of(outbox, outbox.begin())) {
        for (String table : new String[] {"\"OUTBOX_EVENT\"", "outbox_event_2"}) {
          outbox.execute(
              "INSERT INTO "
                  + table
                  + " (event_id, aggregate_type, aggregate_id, event_type)"
                  + " VALUES ('foreign', 'Order', '1', 'OrderPaid')");
        }
        outbox.insert("own");
        assertThat(reading.awaitEventIds(1)).containsExactly("own");
      }
    }
  }

  @Test
  void c22_rows_of_a_partitioned_table_are_the_tables_own() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.execute(
          "DROP TABLE outbox_event",
          """
          CREATE TABLE outbox_event (
            id bigint GENERATED ALWAYS AS IDENTITY, event_id text, aggregate_type text,
            aggregate_id text, event_type text, payload json,
            day int NOT NULL DEFAULT 1, PRIMARY KEY (id, day))
            PARTITION BY RANGE (day)
          """,
          "CREATE TABLE outbox_1 PARTITION OF outbox_event FOR VALUES FROM (1) TO (2)",
          "GRANT SELECT ON outbox_event TO waybill_capture",
          "ALTER PUBLICATION " + outbox.slot() + " SET TABLE outbox_event");
      assertThat(outbox.source().inspect().warnings()).isEmpty();
      try (Reading reading = Reading.of(outbox, outbox.begin())) {
        outbox.insert("p1");
        outbox.execute(
            "CREATE TABLE outbox_2 PARTITION OF outbox_event FOR VALUES FROM (2) TO (3)",
            "ALTER TABLE outbox_event ALTER day SET DEFAULT 2");
        outbox.insert("p2");
        outbox.execute("ALTER TABLE outbox_event DETACH PARTITION outbox_1", "DROP TABLE outbox_1");
        outbox.insert("p3");
        assertThat(reading.awaitEventIds(3)).containsExactly("p1", "p2", "p3");
        assertThat(reading.handler().changes())
            .extracting(Change::table)
            .containsOnly("public.outbox_event");
      }
    }
  }

  @Test
  void c21_columns_come_and_go_while_the_engine_runs() throws Exception {
    try (Outbox outbox = Outbox.create();
        Reading reading = Reading.of(outbox, outbox.begin())) {
      outbox.insert("a");
      outbox.execute("ALTER TABLE outbox_event ADD COLUMN extra int NOT NULL DEFAULT 7");
      outbox.insert("b");
      outbox.execute("ALTER TABLE outbox_event DROP COLUMN extra, DROP COLUMN headers");
      outbox.insert("c");
      assertThat(reading.awaitEventIds(3)).containsExactly("a", "b", "c");
      assertThat(reading.handler().changes())
          .extracting(change -> change.row().eventType())
          .containsOnly("OrderPaid");
    }
  }
}
