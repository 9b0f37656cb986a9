package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.engine.capture.SourceConfig.Pace;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.MySqlServer;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MySqlDeadConnectionTest extends DeadConnectionContract {

  private static MySqlServer server;

  @BeforeAll
  static void startServer() {
    server = MySqlServer.builder().setting("net_write_timeout", "2").start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  DatabaseServer server() {
    return server;
  }

  @Override
  Source source(SourceConfig config, Watch watch) {
    return new MySqlSource(config, Clock.systemUTC(), watch);
  }

  /** The server still believes in its connection; others are open and well. */
  @Test
  void c47_a_stream_that_fell_silent_is_unavailable() throws Exception {
    try (Outbox outbox = Outbox.create(server, Outbox.PACE);
        Wire wire = new Wire(server.port())) {
      Position position;
      Watch watch = new Watch(Duration.ofSeconds(3), Duration.ofMillis(200));
      try (Reading reading = read(through(wire, outbox), outbox.begin(), watch)) {
        outbox.insert("a");
        reading.awaitEventIds(1);
        wire.silence(wire.clientOf(clientPort(outbox)));
        awaitDead(reading, "no heartbeat");
        position = reading.position();
      }
      outbox.insert("b");
      try (Reading second = Reading.of(outbox, position)) {
        assertThat(second.awaitEventIds(1)).containsExactly("b");
      }
    }
  }

  private static int clientPort(Outbox outbox) throws SQLException {
    return Integer.parseInt(
        outbox
            .query(
                "SELECT substring_index(host, ':', -1) FROM performance_schema.processlist"
                    + " WHERE command LIKE 'Binlog Dump%'")
            .get(0));
  }

  /**
   * While the broker is away our handler blocks, and with it all that stands between it and the
   * server, which ends a reader that takes nothing for net_write_timeout.
   */
  @Test
  void a_handler_that_blocked_for_long_costs_a_new_reading_but_no_row() throws Exception {
    Pace narrow = new Pace(Duration.ofMillis(200), Duration.ofMillis(5), 4, 8, 0);
    try (Outbox outbox = Outbox.create(server, narrow)) {
      Position start = outbox.begin();
      CountDownLatch release = new CountDownLatch(1);
      RecordingHandler handler =
          new RecordingHandler(start) {
            @Override
            public void handle(CapturedBatch batch) throws InterruptedException {
              super.handle(batch);
              if (!changes().isEmpty()) {
                release.await();
              }
            }
          };
      List<String> written = new ArrayList<>();
      Source source =
          source(outbox.config(), new Watch(Duration.ofMinutes(1), Duration.ofMillis(200)));
      try (Capture capture = source.capture(start, handler)) {
        Map<String, String> before = start.toMap();
        for (int i = 0; i < 60; i++) {
          outbox.execute(large(i));
          written.add("e" + i);
        }
        await().atMost(Reading.PATIENCE).until(() -> !handler.position().toMap().equals(before));
        await()
            .atMost(Reading.PATIENCE)
            .until(
                () ->
                    outbox
                        .query(
                            "SELECT id FROM performance_schema.processlist"
                                + " WHERE command LIKE 'Binlog Dump%'")
                        .isEmpty());
        release.countDown();
        assertThatThrownBy(
                () ->
                    await()
                        .atMost(Reading.PATIENCE)
                        .until(() -> capture.awaitEnd(Duration.ofMillis(50))))
            .isInstanceOf(SourceUnavailableException.class);
      }
      List<String> captured = new ArrayList<>(handler.eventIds());
      try (Reading second = Reading.of(outbox, handler.position())) {
        captured.addAll(second.awaitEventIds(written.size() - captured.size()));
      }
      assertThat(captured).isEqualTo(written);
    }
  }

  /** More than the buffers between the server and the handler hold, 60 times. */
  private static String large(int i) {
    return "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)"
        + (" VALUES ('e" + i + "', 'Order', '1', 'E', CONCAT('\"', REPEAT('x', 1000000), '\"'))");
  }
}
