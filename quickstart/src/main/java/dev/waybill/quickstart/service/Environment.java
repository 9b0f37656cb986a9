package dev.waybill.quickstart.service;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.Map;

/** What a service is told about where it runs. */
public final class Environment {

  private static final long CONNECTION_TIMEOUT_MILLIS = 5_000;
  private static final int CONNECTIONS = 4;

  private final Map<String, String> variables = System.getenv();

  public DatabaseKind databaseKind() {
    return DatabaseKind.ofUrl(text("DATABASE_URL"));
  }

  /** The service's own database; it need not be reachable yet. */
  public HikariDataSource dataSource() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(text("DATABASE_URL"));
    config.setUsername(text("DATABASE_USER"));
    config.setPassword(text("DATABASE_PASSWORD"));
    config.setMaximumPoolSize(CONNECTIONS);
    config.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
    config.setInitializationFailTimeout(-1);
    return new HikariDataSource(config);
  }

  /**
   * Where the broker is, and who this member of its group is: known by name, it takes its place
   * again at once when it comes back after a crash, and the group need not wait for a time-out.
   */
  public Map<String, String> kafka() {
    return Map.of(
        "bootstrap.servers", text("KAFKA_BOOTSTRAP_SERVERS"),
        "group.instance.id", text("INSTANCE"));
  }

  public long number(String name) {
    return Long.parseLong(text(name));
  }

  private String text(String name) {
    String value = variables.get(name);
    if (value == null) {
      throw new IllegalStateException("The environment variable " + name + " is not set");
    }
    return value;
  }
}
