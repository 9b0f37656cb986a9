package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.engine.capture.SourceConfig.Login;
import dev.waybill.servers.DatabaseServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A network that swallows everything and says nothing. */
@Timeout(120)
abstract class DeadConnectionContract {

  abstract DatabaseServer server();

  abstract Source source(SourceConfig config, Watch watch);

  final SourceConfig through(Wire wire, Outbox outbox) {
    SourceConfig config = outbox.config();
    String url = config.login().url().replace(":" + server().port() + "/", ":" + wire.port() + "/");
    return new SourceConfig(
        config.type(),
        config.engine(),
        new Login(url, config.login().user(), config.login().password()),
        config.tables(),
        config.columns(),
        config.pace(),
        config.debezium());
  }

  final Reading read(SourceConfig config, Position start, Watch watch) {
    RecordingHandler handler = new RecordingHandler(start);
    return new Reading(source(config, watch).capture(start, handler), handler);
  }

  /** Polls as a supervisor does. */
  static void awaitDead(Reading reading, String sign) {
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
    try (Outbox outbox = Outbox.create(server(), Outbox.PACE);
        Wire wire = new Wire(server().port())) {
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
    try (Outbox outbox = Outbox.create(server(), Outbox.PACE);
        Wire wire = new Wire(server().port())) {
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
}
