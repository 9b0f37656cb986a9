package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.engine.capture.SourceConfig.Pace;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever was read before, a new capture goes on behind the stored position, to the row. */
class RestartTest {

  private static Pace batchesOf(int size) {
    return new Pace(Duration.ofMillis(200), Duration.ofMillis(5), size, 8_192, 0);
  }

  /** Stores and acknowledges so many batches with rows, and throws at the next. */
  private static final class StoppingHandler extends RecordingHandler {

    private int batches;

    StoppingHandler(Position start, int batches) {
      super(start);
      this.batches = batches;
    }

    @Override
    public void handle(CapturedBatch batch) throws InterruptedException {
      if (!batch.changes().isEmpty() && batches-- == 0) {
        throw new IllegalStateException("stopped by the test");
      }
      super.handle(batch);
    }
  }

  /** Reads until the handler stops, and returns what the next capture starts from. */
  private static RecordingHandler readUntilStopped(Outbox outbox, Position start, int batches) {
    return readUntilStopped(outbox.source(), start, batches);
  }

  private static RecordingHandler readUntilStopped(Source source, Position start, int batches) {
    StoppingHandler handler = new StoppingHandler(start, batches);
    try (Capture capture = source.capture(start, handler)) {
      assertThatThrownBy(() -> capture.awaitEnd(Reading.PATIENCE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("stopped by the test");
    }
    return handler;
  }

  @Test
  void c37_rows_at_one_lsn_are_continued_in_their_midst() throws Exception {
    try (Outbox outbox = Outbox.create(batchesOf(3));
        Connection connection = outbox.connect()) {
      Position start = outbox.begin();
      CommitOrderTest.copy(connection, 5);
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
  void c36_a_transaction_that_was_open_during_a_heartbeat_is_whole() throws Exception {
    try (Outbox outbox = Outbox.create();
        Connection a = outbox.connect()) {
      Position position;
      try (Reading first = Reading.of(outbox, outbox.begin())) {
        outbox.insert("warm");
        a.setAutoCommit(false);
        Outbox.insert(a, "A1", "A2", "A3");
        outbox.insert("B");
        Outbox.insert(a, "A4", "A5");
        first.awaitEventIds(2);
        Position afterB = first.position();
        await().atMost(Reading.PATIENCE).until(() -> !first.position().equals(afterB));
        position = first.position();
      }
      a.commit();
      try (Reading second = Reading.of(outbox, position)) {
        assertThat(second.awaitEventIds(5)).containsExactly("A1", "A2", "A3", "A4", "A5");
      }
    }
  }

  @Test
  void what_was_handled_but_not_stored_is_read_again() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      Position start = outbox.begin();
      outbox.insert("a");
      assertThat(readUntilStopped(outbox, start, 0).position()).isEqualTo(start);
      try (Reading second = Reading.of(outbox, start)) {
        assertThat(second.awaitEventIds(1)).containsExactly("a");
      }
    }
  }

  /** Progress is stored before it is acknowledged: a crash between the two repeats nothing. */
  @Test
  void what_was_stored_but_not_acknowledged_is_not_read_again() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      Position start = outbox.begin();
      RecordingHandler first =
          new RecordingHandler(start) {
            @Override
            public void handle(CapturedBatch batch) {
              store(batch);
            }
          };
      outbox.insert("a");
      outbox.insert("b");
      try (Reading reading = Reading.of(outbox, start, first)) {
        reading.awaitEventIds(2);
        await().atMost(Reading.PATIENCE).until(() -> atRest(first.position()));
      }
      outbox.insert("c");
      try (Reading second = Reading.of(outbox, first.position())) {
        assertThat(second.awaitEventIds(1)).containsExactly("c");
      }
    }
  }

  private static boolean atRest(Position position) {
    return ((PostgresPosition) position).unfinished() == null;
  }

  @Test
  void a_position_survives_being_written_down() throws Exception {
    try (Outbox outbox = Outbox.create(batchesOf(2))) {
      Position start = outbox.begin();
      outbox.insert("a", "b", "c", "d", "e");
      RecordingHandler first = readUntilStopped(outbox, start, 2);
      assertThat(atRest(first.position())).isFalse();
      Position stored = outbox.source().position(first.position().toMap());
      try (Reading second = Reading.of(outbox, stored)) {
        second.awaitEventIds(5 - first.changes().size());
        assertThat(first.eventIds()).doesNotContainAnyElementsOf(second.handler().eventIds());
      }
    }
  }

  /** What was counted were rows of both tables: of one alone, too many would be left out. */
  @Test
  void an_unfinished_transaction_comes_again_whole_when_other_tables_are_read() throws Exception {
    try (Outbox outbox = Outbox.create(batchesOf(3));
        Connection connection = outbox.connect()) {
      outbox.execute(
          "CREATE TABLE second_outbox (LIKE outbox_event INCLUDING ALL)",
          "GRANT SELECT ON second_outbox TO waybill_capture",
          "ALTER PUBLICATION " + outbox.slot() + " ADD TABLE second_outbox");
      Position start = outbox.begin();
      connection.setAutoCommit(false);
      Outbox.insert(connection, "a", "b", "c", "d");
      try (Statement statement = connection.createStatement()) {
        statement.execute(
            "INSERT INTO second_outbox (event_id, aggregate_type, aggregate_id, event_type)"
                + " SELECT 'second-' || n, 'Order', '1', 'OrderPaid' FROM generate_series(1, 9) n");
      }
      Outbox.insert(connection, "e");
      connection.commit();

      Source both = outbox.sourceOf(Outbox.TABLE, new TableName("public", "second_outbox"));
      RecordingHandler first = readUntilStopped(both, start, 3);
      assertThat(first.eventIds()).contains("a", "b", "c", "d", "second-1").doesNotContain("e");
      try (Reading second = Reading.of(outbox, first.position())) {
        assertThat(second.awaitEventIds(5)).containsExactly("a", "b", "c", "d", "e");
      }
    }
  }

  @Test
  void the_log_is_never_acknowledged_beyond_the_stored_position() throws Exception {
    try (Outbox outbox = Outbox.create(batchesOf(2))) {
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
