package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresCaptureTest {

  private static PostgresServer server;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.builder(16).start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Test
  void captures_what_is_inserted() throws Exception {
    try (Outbox outbox = Outbox.create(server);
        Reading reading = Reading.of(outbox, outbox.begin())) {
      outbox.insert("a", "b");
      outbox.insert("c");
      assertThat(reading.awaitEventIds(3)).containsExactly("a", "b", "c");
    }
  }
}
