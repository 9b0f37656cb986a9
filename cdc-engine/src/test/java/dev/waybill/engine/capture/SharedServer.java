package dev.waybill.engine.capture;

import dev.waybill.servers.MySqlServer;
import dev.waybill.servers.PostgresServer;
import org.jspecify.annotations.Nullable;

/** One server of each kind for all tests of the JVM; they end with that. */
final class SharedServer {

  private static @Nullable PostgresServer postgres;
  private static @Nullable MySqlServer mysql;

  private SharedServer() {}

  static synchronized PostgresServer get() {
    if (postgres == null) {
      postgres = PostgresServer.builder(16).start();
    }
    return postgres;
  }

  static synchronized MySqlServer mysql() {
    if (mysql == null) {
      mysql = MySqlServer.builder().start();
    }
    return mysql;
  }
}
