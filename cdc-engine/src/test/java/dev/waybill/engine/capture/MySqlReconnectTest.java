package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.waybill.engine.capture.SourceConfig.Pace;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Debezium's client connects anew within a transaction, as it does unless it is told not to, and
 * the transaction is sent again, in records that take it for complete: whoever stores such a one's
 * offset never sees the rest.
 */
@Timeout(120)
class MySqlReconnectTest {

  /** Between server and handler is less room than the transaction takes. */
  private static final Pace NARROW =
      new Pace(Duration.ofMillis(200), Duration.ofMillis(5), 4, 8, 0);

  private static final List<String> WRITTEN =
      IntStream.range(0, 40).mapToObj(i -> "e" + i).toList();

  @Test
  void a_transaction_that_is_sent_again_is_refused_and_its_rest_is_not_lost() throws Exception {
    try (Outbox outbox = Outbox.create(SharedServer.mysql(), NARROW)) {
      MySqlPosition start = (MySqlPosition) outbox.begin();
      insertLarge(outbox);
      Handler handler = new Handler(start);
      Throwable end = catchThrowable(() -> readUntilItEnds(outbox, start, handler));
      outbox.insert("end");
      Set<String> captured = new LinkedHashSet<>(handler.eventIds());
      try (Reading second = Reading.of(outbox, handler.position())) {
        await()
            .atMost(Reading.PATIENCE)
            .until(() -> second.handler().eventIds().contains("end") || hasEnded(second.capture()));
        captured.addAll(second.handler().eventIds());
      }
      assertThat(captured)
          .containsExactlyElementsOf(Stream.concat(WRITTEN.stream(), Stream.of("end")).toList());
      assertThat(end)
          .isInstanceOf(SourceUnavailableException.class)
          .hasMessageContaining("again, which was taken for complete");
    }
  }

  /** A megabyte each. */
  private static void insertLarge(Outbox outbox) throws SQLException {
    try (Connection connection = outbox.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (String id : WRITTEN) {
        statement.execute(
            "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)"
                + (" VALUES ('" + id + "', 'Order', '1', 'E', CONCAT('\"', REPEAT('x', 1000000),")
                + " '\"'))");
      }
      connection.commit();
    }
  }

  private static void readUntilItEnds(Outbox outbox, MySqlPosition start, Handler handler)
      throws Exception {
    LogReader reader =
        MySqlCapture.reader(
            outbox.config(), MySqlConnections.of(outbox.config()), start, Overlap.NONE);
    try (Capture capture =
        DebeziumCapture.start(
            outbox.config().engine(),
            new Reconnecting(reader),
            handler,
            Watch.of(outbox.config()))) {
      handler.blocked.await();
      await().atMost(Reading.PATIENCE).until(() -> readers(outbox).isEmpty());
      handler.release.countDown();
      await().atMost(Reading.PATIENCE).until(() -> hasEnded(capture));
    }
  }

  private static boolean hasEnded(Capture capture) throws InterruptedException {
    return capture.awaitEnd(Duration.ofMillis(50));
  }

  private static List<String> readers(Outbox outbox) throws SQLException {
    return outbox.query(
        "SELECT id FROM performance_schema.processlist WHERE command LIKE 'Binlog Dump%'");
  }

  /** Blocks with its first rows, as where the broker is away; crashes when one comes again. */
  private static final class Handler extends RecordingHandler {

    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    Handler(Position start) {
      super(start);
    }

    @Override
    public void handle(CapturedBatch batch) throws InterruptedException {
      super.handle(batch);
      if (!batch.changes().isEmpty()) {
        blocked.countDown();
        release.await();
      }
      if (eventIds().size() > Set.copyOf(eventIds()).size()) {
        throw new IllegalStateException("killed within the transaction that was sent again");
      }
    }
  }

  /** With Debezium's default, and nothing but the tracker to notice. */
  private record Reconnecting(LogReader reader) implements LogReader {

    @Override
    public Properties properties() {
      Properties properties = reader.properties();
      properties.setProperty("connect.keep.alive", "true");
      properties.setProperty("connect.keep.alive.interval.ms", "1000");
      return properties;
    }

    @Override
    public CapturedBatch decode(
        List<RecordChangeEvent<SourceRecord>> records,
        RecordCommitter<RecordChangeEvent<SourceRecord>> committer,
        BooleanSupplier open) {
      return reader.decode(records, committer, open);
    }

    @Override
    public void checkStart() {
      reader.checkStart();
    }

    @Override
    public boolean isServed() {
      return true;
    }

    @Override
    public void endServing() throws SQLException {
      reader.endServing();
    }

    @Override
    public RuntimeException meaning(@Nullable Throwable error) {
      return reader.meaning(error);
    }

    @Override
    public void close() {
      reader.close();
    }
  }
}
