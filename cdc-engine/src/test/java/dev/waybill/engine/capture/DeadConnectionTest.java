package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.engine.capture.SourceConfig.Login;
import dev.waybill.servers.PostgresServer;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A network that swallows everything and says nothing. */
@Timeout(120)
class DeadConnectionTest {

  private static PostgresServer server;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.builder(16).setting("wal_sender_timeout", "2s").start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private static SourceConfig through(Wire wire, Outbox outbox) {
    SourceConfig config = outbox.config();
    String url = config.login().url().replace(":" + server.port() + "/", ":" + wire.port() + "/");
    return new SourceConfig(
        config.type(),
        config.engine(),
        new Login(url, config.login().user(), config.login().password()),
        config.tables(),
        config.columns(),
        config.pace(),
        config.debezium());
  }

  private static Reading read(SourceConfig config, Position start, Watch watch) {
    RecordingHandler handler = new RecordingHandler(start);
    Source source = new PostgresSource(config, Clock.systemUTC(), watch);
    return new Reading(source.capture(start, handler), handler);
  }

  /** Polls as a supervisor does. */
  private static void awaitDead(Reading reading, String sign) {
    assertThatThrownBy(
            () ->
                await()
                    .atMost(Reading.PATIENCE)
                    .until(() -> reading.capture().awaitEnd(Duration.ofMillis(100))))
        .isInstanceOf(SourceUnavailableException.class)
        .hasMessageContaining(sign);
  }

  @Test
  void c47_a_server_that_fell_silent_is_unavailable() throws Exception {
    try (Outbox outbox = Outbox.create(server, Outbox.PACE);
        Wire wire = new Wire(server.port())) {
      Position position;
      Watch watch = new Watch(Duration.ofSeconds(3), Duration.ofMinutes(1));
      try (Reading reading = read(through(wire, outbox), outbox.begin(), watch)) {
        outbox.insert("a");
        reading.awaitEventIds(1);
        wire.silenceAll();
        awaitDead(reading, "no heartbeat");
        position = reading.position();
      }
      outbox.insert("b");
      try (Reading second = Reading.of(outbox, position)) {
        assertThat(second.awaitEventIds(1)).containsExactly("b");
      }
    }
  }

  /** Debezium's connections have no limit of their own: one that hangs from the start hangs on. */
  @Test
  void c47_a_start_that_hangs_is_unavailable() throws Exception {
    try (Outbox outbox = Outbox.create(server, Outbox.PACE);
        Wire wire = new Wire(server.port())) {
      Watch watch = new Watch(Duration.ofSeconds(3), Duration.ofMillis(200));
      try (Reading reading = read(through(wire, outbox), outbox.begin(), watch)) {
        assertThatThrownBy(
                () ->
                    await()
                        .atMost(Reading.PATIENCE)
                        .until(
                            () -> {
                              wire.silenceAll();
                              return reading.capture().awaitEnd(Duration.ofMillis(50));
                            }))
            .isInstanceOf(SourceUnavailableException.class)
            .hasMessageContaining("does not read from it");
      }
    }
  }

  /** Heartbeats go on over the other connection. */
  @Test
  void c47_a_stream_that_fell_silent_is_unavailable() throws Exception {
    try (Outbox outbox = Outbox.create(server, Outbox.PACE);
        Wire wire = new Wire(server.port())) {
      Position position;
      Watch watch = new Watch(Duration.ofMinutes(1), Duration.ofMillis(200));
      try (Reading reading = read(through(wire, outbox), outbox.begin(), watch)) {
        outbox.insert("a");
        reading.awaitEventIds(1);
        int port =
            Integer.parseInt(
                outbox
                    .query(
                        "SELECT client_port FROM pg_stat_replication JOIN pg_replication_slots"
                            + " ON pid = active_pid WHERE slot_name = '"
                            + outbox.slot()
                            + "'")
                    .get(0));
        wire.silence(wire.clientOf(port));
        awaitDead(reading, "does not read from it");
        position = reading.position();
      }
      outbox.insert("b");
      try (Reading second = Reading.of(outbox, position)) {
        assertThat(second.awaitEventIds(1)).containsExactly("b");
      }
    }
  }
}
