package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.capture.SourceConfig.Pace;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresRestartTest extends RestartContract {

  @Override
  Outbox create(Pace pace) throws SQLException {
    return Outbox.create(pace);
  }

  @Test
  void c37_rows_at_one_lsn_are_continued_in_their_midst() throws Exception {
    try (Outbox outbox = create(batchesOf(3));
        Connection connection = outbox.connect()) {
      Position start = outbox.begin();
      PostgresCommitOrderTest.copy(connection, 5);
      RecordingHandler first = readUntilStopped(outbox, start, 1);
      int before = first.changes().size();
      assertThat(before).isBetween(1, 4);
      try (Reading second = Reading.of(outbox, first.position())) {
        List<String> rest = second.awaitEventIds(5 - before);
        assertThat(first.eventIds()).isEqualTo(List.of("c1", "c2", "c3", "c4").subList(0, before));
        assertThat(rest).isEqualTo(List.of("c1", "c2", "c3", "c4", "c5").subList(before, 5));
      }
    }
  }

  @Test
  void the_log_is_never_acknowledged_beyond_the_stored_position() throws Exception {
    try (Outbox outbox = create(batchesOf(2))) {
      Position start = outbox.begin();
      for (int i = 0; i < 20; i++) {
        outbox.insert("a" + i, "b" + i, "c" + i);
        outbox.insert("d" + i);
      }
      RecordingHandler first = readUntilStopped(outbox, start, 7);
      PostgresPosition stored = (PostgresPosition) first.position();
      try (Connection connection = outbox.connect()) {
        PostgresSlot slot = PostgresSlot.find(connection, outbox.slot());
        assertThat(slot).isNotNull();
        assertThat(slot.confirmedLsn()).isLessThanOrEqualTo(stored.lsn());
      }
    }
  }
}
