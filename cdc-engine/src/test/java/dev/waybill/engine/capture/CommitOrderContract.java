package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** What was committed is captured, in commit order, and nothing else is. */
abstract class CommitOrderContract {

  abstract Outbox create() throws SQLException;

  @Test
  void rows_of_one_transaction_come_in_the_order_they_were_inserted() throws Exception {
    try (Outbox outbox = create();
        Reading reading = Reading.of(outbox, outbox.begin())) {
      outbox.insert("a", "b");
      outbox.insert("c");
      assertThat(reading.awaitEventIds(3)).containsExactly("a", "b", "c");
    }
  }

  @Test
  void c16_transactions_come_in_commit_order_which_is_not_id_order() throws Exception {
    try (Outbox outbox = create();
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
    try (Outbox outbox = create();
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
      statement.execute("CREATE TEMPORARY TABLE outbox_copy AS SELECT * FROM outbox_event");
      connection.commit();
      Outbox.insert(connection, "end");
      connection.commit();
      assertThat(reading.awaitEventIds(4)).containsExactly("keep1", "keep2", "insdel", "end");
    }
  }

  @Test
  void c19_updates_deletes_and_truncates_are_no_events() throws Exception {
    try (Outbox outbox = create();
        Reading reading = Reading.of(outbox, outbox.begin())) {
      outbox.insert("v1");
      outbox.execute(
          "UPDATE outbox_event SET payload = '{\"v\": 2}'",
          "UPDATE outbox_event SET event_id = 'v1-renamed'",
          "DELETE FROM outbox_event",
          "TRUNCATE TABLE outbox_event");
      outbox.insert("end");
      assertThat(reading.awaitEventIds(2)).containsExactly("v1", "end");
    }
  }

  @Test
  void c21_columns_come_and_go_while_the_engine_runs() throws Exception {
    try (Outbox outbox = create();
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
