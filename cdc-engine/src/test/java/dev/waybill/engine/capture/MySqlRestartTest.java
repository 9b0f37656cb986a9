package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.capture.SourceConfig.Pace;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MySqlRestartTest extends RestartContract {

  @Override
  Outbox create(Pace pace) throws SQLException {
    return Outbox.create(SharedServer.mysql(), pace);
  }

  /** They share an event of the log, and its place; compressed, all of a transaction do. */
  @ParameterizedTest
  @ValueSource(strings = {"OFF", "ON"})
  void c37_rows_of_one_event_are_continued_in_their_midst(String compression) throws Exception {
    try (Outbox outbox = create(batchesOf(3))) {
      Position start = outbox.begin();
      outbox.execute(
          "SET SESSION binlog_transaction_compression = " + compression,
          """
          INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type) VALUES
            ('c1', 'Order', '1', 'E'), ('c2', 'Order', '1', 'E'), ('c3', 'Order', '1', 'E'),
            ('c4', 'Order', '1', 'E'), ('c5', 'Order', '1', 'E')
          """);
      RecordingHandler first = readUntilStopped(outbox, start, 1);
      int before = first.changes().size();
      assertThat(before).isBetween(1, 4);
      outbox.source().requireLog(first.position());
      try (Reading second = Reading.of(outbox, first.position())) {
        List<String> rest = second.awaitEventIds(5 - before);
        assertThat(first.eventIds()).isEqualTo(List.of("c1", "c2", "c3", "c4").subList(0, before));
        assertThat(rest).isEqualTo(List.of("c1", "c2", "c3", "c4", "c5").subList(before, 5));
      }
    }
  }

  /** The log is not sent from a row's place, but from the beginning of what is not complete. */
  @Test
  void what_the_position_counts_are_rows_not_events_of_the_log() throws Exception {
    try (Outbox outbox = create(batchesOf(2))) {
      outbox.execute("CREATE TABLE business (id INT AUTO_INCREMENT PRIMARY KEY)");
      Position start = outbox.begin();
      try (java.sql.Connection connection = outbox.connect();
          java.sql.Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        for (int i = 1; i <= 5; i++) {
          statement.execute("INSERT INTO business VALUES ()");
          Outbox.insert(connection, "e" + i);
          statement.execute("UPDATE outbox_event SET topic = NULL");
        }
        connection.commit();
      }
      RecordingHandler first = readUntilStopped(outbox, start, 1);
      int before = first.changes().size();
      try (Reading second = Reading.of(outbox, first.position())) {
        assertThat(second.awaitEventIds(5 - before))
            .isEqualTo(List.of("e1", "e2", "e3", "e4", "e5").subList(before, 5));
      }
    }
  }
}
