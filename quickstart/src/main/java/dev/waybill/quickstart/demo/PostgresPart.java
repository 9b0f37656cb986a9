package dev.waybill.quickstart.demo;

import dev.waybill.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The PostgreSQL server, which keeps its data and its port. Somebody who ends it by SIGTERM begins
 * a shutdown that waits for every client to leave, while no new one is let in: then it is shut down
 * for good, to be started again.
 */
final class PostgresPart implements Part {

  /** PostgreSQL's cannot_connect_now: it starts, recovers or shuts down. */
  private static final String CANNOT_CONNECT_NOW = "57P03";

  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final PostgresServer server;
  private final Clock clock;
  private Instant looked = Instant.EPOCH;
  private @Nullable Instant closedSince;

  PostgresPart(PostgresServer server, Clock clock) {
    this.server = server;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "PostgreSQL";
  }

  @Override
  public void start() {
    server.start();
    closedSince = null;
  }

  @Override
  public boolean isRunning() {
    if (server.isRunning() && isShutInForLong()) {
      server.stop();
    }
    return server.isRunning();
  }

  @Override
  public boolean isDone() {
    return false;
  }

  @Override
  public long pid() {
    return server.pid();
  }

  private boolean isShutInForLong() {
    Instant now = clock.instant();
    if (now.isBefore(looked.plus(LOOK))) {
      return false;
    }
    looked = now;
    if (!isShut()) {
      closedSince = null;
    } else if (closedSince == null) {
      closedSince = now;
    }
    return closedSince != null && now.isAfter(closedSince.plus(PATIENCE));
  }

  private boolean isShut() {
    try (Connection connection =
        DriverManager.getConnection(server.jdbcUrl("postgres"), server.user(), server.password())) {
      return connection.isClosed();
    } catch (SQLException e) {
      return CANNOT_CONNECT_NOW.equals(e.getSQLState());
    }
  }
}
