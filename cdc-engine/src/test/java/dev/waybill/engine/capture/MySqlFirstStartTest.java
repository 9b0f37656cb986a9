package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.engine.capture.FirstStart.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class MySqlFirstStartTest extends FirstStartContract {

  /** {@code ER_LOCK_WAIT_TIMEOUT} */
  private static final int LOCK_WAIT_TIMEOUT = 1205;

  @Override
  Outbox create() throws SQLException {
    return Outbox.mysql();
  }

  /** As if they had been committed after the log's place was read, and before the snapshot. */
  @Test
  void what_snapshot_and_log_both_show_is_published_once() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      Position earlier = outbox.begin();
      outbox.insert("a", "b");
      Source source = outbox.source();
      try (FirstStart start = source.firstStart(Rows.EXISTING)) {
        assertThat(eventIds(readAll(start))).containsExactly("a", "b");
      }
      outbox.insert("c");
      try (Reading reading = Reading.of(source, earlier)) {
        assertThat(reading.awaitEventIds(1)).containsExactly("c");
      }
      try (Reading reading = Reading.of(outbox, earlier)) {
        assertThat(reading.awaitEventIds(3)).as("to another source").containsExactly("a", "b", "c");
      }
    }
  }

  /** The log shows two rows of one id; the snapshot held the second. */
  @Test
  void an_id_that_was_used_again_is_another_row() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      Position earlier = outbox.begin();
      outbox.insert("a");
      outbox.execute("DELETE FROM outbox_event", "ALTER TABLE outbox_event AUTO_INCREMENT = 1");
      outbox.insert("b");
      assertThat(outbox.query("SELECT id FROM outbox_event")).containsExactly("1");
      Source source = outbox.source();
      try (FirstStart start = source.firstStart(Rows.EXISTING)) {
        assertThat(eventIds(readAll(start))).containsExactly("b");
      }
      outbox.insert("c");
      try (Reading reading = Reading.of(source, earlier)) {
        assertThat(reading.awaitEventIds(2)).containsExactly("a", "c");
      }
    }
  }

  /** Whoever waits for it keeps it waiting, and all who write to the table. */
  @Test
  void an_alter_that_waits_for_the_first_start_is_let_through() throws Exception {
    ExecutorService migration = Executors.newSingleThreadExecutor();
    try (Outbox outbox = Outbox.mysql();
        Connection guard = outbox.connect()) {
      guard.setAutoCommit(false);
      try (Statement statement = guard.createStatement()) {
        statement.execute("SELECT 1 FROM outbox_event LIMIT 0");
      }
      Future<?> alter =
          migration.submit(
              () -> {
                outbox.execute("ALTER TABLE outbox_event ADD COLUMN note INT");
                return null;
              });
      await()
          .atMost(Reading.PATIENCE)
          .until(
              () ->
                  !outbox
                      .query(
                          "SELECT id FROM performance_schema.processlist"
                              + " WHERE state = 'Waiting for table metadata lock'"
                              + " AND info LIKE 'ALTER TABLE outbox_event%'")
                      .isEmpty());
      MySqlFirstStart.Opening opening =
          new MySqlFirstStart.Opening(
              outbox.config(), MySqlConnections.of(outbox.config()), Clock.systemUTC());
      assertThatThrownBy(() -> opening.open(Rows.EXISTING))
          .isInstanceOf(SourceUnavailableException.class)
          .hasMessageContaining("error " + LOCK_WAIT_TIMEOUT);
      assertThatThrownBy(opening::openSnapshot)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(LOCK_WAIT_TIMEOUT));
      guard.rollback();
      alter.get();
      opening.open(Rows.EXISTING).close();
    } finally {
      migration.shutdownNow();
    }
  }

  /** Before the first row the server sorts, which may take long. */
  @Test
  void a_server_that_falls_silent_between_two_rows_is_not_waited_for_without_end()
      throws Exception {
    try (Outbox outbox = Outbox.mysql();
        Connection connection = outbox.connect()) {
      outbox.insert("a", "b");
      try (SnapshotTable table = open(outbox, connection)) {
        assertThat(connection.getNetworkTimeout()).isZero();
        assertThat(table.next(Instant.EPOCH)).isNotNull();
        assertThat(connection.getNetworkTimeout()).isEqualTo(600_000);
      }
      try (SnapshotTable next = open(outbox, connection)) {
        assertThat(connection.getNetworkTimeout()).isZero();
        assertThat(next.next(Instant.EPOCH)).isNotNull();
      }
    }
  }

  private static SnapshotTable open(Outbox outbox, Connection connection) throws SQLException {
    return SnapshotTable.open(Dialect.MYSQL, connection, outbox.table(), outbox.config().columns());
  }
}
