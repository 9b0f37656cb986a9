package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.capture.FirstStart.Rows;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MySqlFirstStartTest extends FirstStartContract {

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
}
