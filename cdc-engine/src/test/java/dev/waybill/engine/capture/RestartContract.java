package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.engine.capture.SourceConfig.Pace;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whatever was read before, a new capture goes on behind the stored position, to the row. */
abstract class RestartContract {

  abstract Outbox create(Pace pace) throws SQLException;

  private Outbox create() throws SQLException {
    return create(Outbox.PACE);
  }

  static Pace batchesOf(int size) {
    return new Pace(Duration.ofMillis(200), Duration.ofMillis(5), size, 8_192, 0);
  }

  /** Stores and acknowledges so many batches with rows, or rows, and throws at the next. */
  private static final class StoppingHandler extends RecordingHandler {

    private final int rows;
    private int batches;

    StoppingHandler(Position start, int batches, int rows) {
      super(start);
      this.batches = batches;
      this.rows = rows;
    }

    @Override
    public void handle(CapturedBatch batch) throws InterruptedException {
      if (!batch.changes().isEmpty() && (batches-- == 0 || changes().size() >= rows)) {
        throw new IllegalStateException("stopped by the test");
      }
      super.handle(batch);
    }
  }

  /** Reads until the handler stops, and returns what the next capture starts from. */
  static RecordingHandler readUntilStopped(Outbox outbox, Position start, int batches) {
    return readUntilStopped(
        outbox.source(), new StoppingHandler(start, batches, Integer.MAX_VALUE));
  }

  private static RecordingHandler readUntilStopped(Source source, StoppingHandler handler) {
    try (Capture capture = source.capture(handler.position(), handler)) {
      assertThatThrownBy(() -> capture.awaitEnd(Reading.PATIENCE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("stopped by the test");
    }
    return handler;
  }

  @Test
  void c36_a_transaction_that_was_open_during_a_heartbeat_is_whole() throws Exception {
    try (Outbox outbox = create();
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
        outbox.execute("CREATE TABLE moves_the_log_on (id INT)");
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
    try (Outbox outbox = create()) {
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
    try (Outbox outbox = create()) {
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

  /** No transaction is unfinished; progress says so in the same word on both databases. */
  private static boolean atRest(Position position) {
    return !position.toMap().containsKey("ordinal");
  }

  @Test
  void a_position_survives_being_written_down() throws Exception {
    try (Outbox outbox = create(batchesOf(2))) {
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
    try (Outbox outbox = create(batchesOf(3));
        Connection connection = outbox.connect()) {
      TableName other = outbox.addTable("second_outbox");
      Position start = outbox.begin();
      connection.setAutoCommit(false);
      Outbox.insert(connection, "a", "b", "c", "d");
      try (Statement statement = connection.createStatement()) {
        for (int i = 1; i <= 9; i++) {
          statement.execute(
              "INSERT INTO second_outbox (event_id, aggregate_type, aggregate_id, event_type)"
                  + (" VALUES ('second-" + i + "', 'Order', '1', 'OrderPaid')"));
        }
      }
      Outbox.insert(connection, "e");
      connection.commit();

      Source both = outbox.sourceOf(outbox.table(), other);
      RecordingHandler first =
          readUntilStopped(both, new StoppingHandler(start, Integer.MAX_VALUE, 5));
      assertThat(first.eventIds()).contains("a", "b", "c", "d", "second-1").doesNotContain("e");
      try (Reading second = Reading.of(outbox, first.position())) {
        assertThat(second.awaitEventIds(5)).containsExactly("a", "b", "c", "d", "e");
      }
    }
  }
}
