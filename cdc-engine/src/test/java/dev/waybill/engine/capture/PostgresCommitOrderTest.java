package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

class PostgresCommitOrderTest extends CommitOrderContract {

  @Override
  Outbox create() throws SQLException {
    return Outbox.create();
  }

  @Test
  void rows_that_came_by_copy_are_captured() throws Exception {
    try (Outbox outbox = create();
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
    try (Outbox outbox = create()) {
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
    try (Outbox outbox = create()) {
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
}
