package dev.waybill.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * One database on a server, with credentials that may do everything in it.
 *
 * @param name of the database on its server
 * @param jdbcUrl without credentials
 */
public record Database(String name, String jdbcUrl, String user, String password) {

  /** A new connection, with auto-commit on. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl, user, password);
  }

  /** Runs statements on a connection of their own, each committed by itself. */
  public void execute(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
