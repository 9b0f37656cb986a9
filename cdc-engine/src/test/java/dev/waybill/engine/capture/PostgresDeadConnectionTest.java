package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.PostgresServer;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresDeadConnectionTest extends DeadConnectionContract {

  private static PostgresServer server;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.builder(16).setting("wal_sender_timeout", "2s").start();
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
    return new PostgresSource(config, Clock.systemUTC(), watch);
  }

  private static int clientPort(Outbox outbox) throws SQLException {
    return Integer.parseInt(
        outbox
            .query(
                "SELECT client_port FROM pg_stat_replication JOIN pg_replication_slots"
                    + " ON pid = active_pid WHERE slot_name = '"
                    + outbox.slot()
                    + "'")
            .get(0));
  }

  /** Heartbeats go on over the other connection. */
  @Test
  void c47_a_stream_that_fell_silent_is_unavailable() throws Exception {
    try (Outbox outbox = Outbox.create(server, Outbox.PACE);
        Wire wire = new Wire(server().port())) {
      Position position;
      Watch watch = new Watch(Duration.ofMinutes(1), Duration.ofMillis(200));
      try (Reading reading = read(through(wire, outbox), outbox.begin(), watch)) {
        outbox.insert("a");
        reading.awaitEventIds(1);
        wire.silence(wire.clientOf(clientPort(outbox)));
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
