package dev.waybill.engine.capture;

import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an error of the server means for us, by its SQLSTATE. Stateless. */
public final class PostgresErrors {

  private PostgresErrors() {}

  /**
   * The server refuses this login or this database for good, as far as it knows: {@code
   * invalid_password}, {@code invalid_authorization_specification}, {@code invalid_catalog_name},
   * and a database that takes no connections.
   */
  static boolean isRefusedLogin(SQLException error) {
    String state = state(error);
    return state.startsWith("28") || state.equals("3D000") || state.equals("55000");
  }

  /** The server is there, or will be, but cannot serve us now. */
  public static boolean isPassing(SQLException error) {
    String state = state(error);
    return state.startsWith("08") || state.startsWith("53") || state.startsWith("57");
  }

  /** As everything but a misconfiguration: waiting is the remedy. */
  static SourceUnavailableException unavailable(String doing, SQLException error) {
    return new SourceUnavailableException(
        doing + " failed with SQLSTATE " + state(error) + ": " + error.getMessage(), error);
  }

  static RuntimeException atLogin(PostgresConnections connections, SQLException error) {
    if (isRefusedLogin(error)) {
      return new SourceMisconfiguredException(
          List.of(
              "the server refuses to let "
                  + connections
                  + " in, SQLSTATE "
                  + state(error)
                  + ": "
                  + error.getMessage()
                  + ". Check source.url, source.user, source.password and pg_hba.conf"));
    }
    return unavailable("connecting to " + connections, error);
  }

  static String state(SQLException error) {
    String state = error.getSQLState();
    return state == null ? "unknown" : state;
  }

  /** The first error of the database among the causes; null if there is none. */
  static @Nullable SQLException among(@Nullable Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return sql;
      }
    }
    return null;
  }
}
