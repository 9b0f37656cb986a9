package dev.waybill.engine.capture;

import dev.waybill.servers.PostgresServer;
import org.jspecify.annotations.Nullable;

/** One PostgreSQL for all tests of the JVM; it ends with that. */
final class SharedServer {

  private static @Nullable PostgresServer server;

  private SharedServer() {}

  static synchronized PostgresServer get() {
    if (server == null) {
      server = PostgresServer.builder(16).start();
    }
    return server;
  }
}
