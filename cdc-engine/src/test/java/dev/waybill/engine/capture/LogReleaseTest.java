package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The server may forget its log although no event is written. */
class LogReleaseTest {

  @Test
  void c34_log_is_released_while_only_business_tables_are_written() throws Exception {
    try (Outbox outbox = Outbox.create();
        Reading reading = Reading.of(outbox, outbox.begin())) {
      outbox.execute("CREATE TABLE business (id int, text text)");
      outbox.insert("a");
      reading.awaitEventIds(1);
      String before = outbox.query("SELECT pg_current_wal_lsn()").get(0);
      for (int i = 0; i < 10; i++) {
        outbox.execute(
            "INSERT INTO business SELECT n, repeat('x', 1000) FROM generate_series(1, 3000) n");
      }
      assertThat(outbox.query("SELECT pg_current_wal_lsn() - '" + before + "' > 16 * 1024 * 1024"))
          .containsExactly("t");
      await().atMost(Duration.ofSeconds(30)).until(() -> retained(outbox) < 1 << 20);
      assertThat(reading.handler().changes()).hasSize(1);
    }
  }

  private static long retained(Outbox outbox) {
    Long retained = outbox.source().retainedLogBytes();
    return retained == null ? Long.MAX_VALUE : retained;
  }

  /** The position is what is stored: a slot that moved without it would look like a gap. */
  @Test
  void heartbeats_move_the_position_with_the_log() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      Position start = outbox.begin();
      Position position;
      try (Reading reading = Reading.of(outbox, start)) {
        await().atMost(Reading.PATIENCE).until(() -> !reading.position().equals(start));
        position = reading.position();
      }
      outbox.insert("a");
      try (Reading second = Reading.of(outbox, position)) {
        assertThat(second.awaitEventIds(1)).containsExactly("a");
      }
    }
  }
}
