package dev.waybill.engine.capture;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a server says of its binary log.
 *
 * @param executed the transactions that the server has committed. One that is being committed is in
 *     the log, and its rows may be seen, a little before it is in this set
 * @param end of the log
 */
record MySqlLog(String serverUuid, GtidSet executed, BinlogPlace end) {

  /** Needs REPLICATION CLIENT, as all of this does. */
  static MySqlLog read(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(status(connection))) {
      if (!row.next()) {
        throw new SQLException("the server writes no binary log");
      }
      return new MySqlLog(
          serverUuid(connection),
          GtidSet.parse(row.getString("Executed_Gtid_Set")),
          new BinlogPlace(row.getString("File"), row.getLong("Position")));
    }
  }

  static String serverUuid(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT @@GLOBAL.server_uuid")) {
      row.next();
      return row.getString(1);
    }
  }

  /** The files that are there, in order; the position of each is its length. */
  static List<BinlogPlace> files(Connection connection) throws SQLException {
    List<BinlogPlace> files = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW BINARY LOGS")) {
      while (row.next()) {
        files.add(new BinlogPlace(row.getString("Log_name"), row.getLong("File_size")));
      }
    }
    return files;
  }

  /** Whether an event begins here. */
  static boolean hasEventAt(Connection connection, BinlogPlace place) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SHOW BINLOG EVENTS IN '" + place.file() + "' FROM " + place.pos() + " LIMIT 1")) {
      return row.next() && row.getLong("Pos") == place.pos();
    } catch (SQLException e) {
      if (e.getErrorCode() == MySqlErrors.COMMAND_FAILED) {
        return false;
      }
      throw e;
    }
  }

  /**
   * What the server's own options keep out of its log, whatever is read.
   *
   * @param only databases that come into it; empty for all
   * @param never databases that do not
   */
  record Filters(List<String> only, List<String> never) {

    boolean lets(String schema) {
      return (only.isEmpty() || only.contains(schema)) && !never.contains(schema);
    }
  }

  static Filters filters(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(status(connection))) {
      return row.next()
          ? new Filters(
              list(row.getString("Binlog_Do_DB")), list(row.getString("Binlog_Ignore_DB")))
          : new Filters(List.of(), List.of());
    }
  }

  private static List<String> list(String names) {
    return names.isEmpty() ? List.of() : List.of(names.split(",", -1));
  }

  private static String status(Connection connection) throws SQLException {
    return isAtLeast(connection, 8, 2) ? "SHOW BINARY LOG STATUS" : "SHOW MASTER STATUS";
  }

  private static boolean isAtLeast(Connection connection, int major, int minor)
      throws SQLException {
    DatabaseMetaData server = connection.getMetaData();
    int found = server.getDatabaseMajorVersion();
    return found > major || (found == major && server.getDatabaseMinorVersion() >= minor);
  }

  /** The ids of those readers that have told theirs: replicas do, Debezium does not. */
  static Set<Long> registeredReaders(Connection connection) throws SQLException {
    // SHOW REPLICAS came with 8.0.22, and its older name went with 8.4.
    String show = isAtLeast(connection, 8, 1) ? "SHOW REPLICAS" : "SHOW SLAVE HOSTS";
    Set<Long> ids = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(show)) {
      while (row.next()) {
        ids.add(row.getLong(1));
      }
    }
    return ids;
  }

  /** Whether somebody reads it as this connection's user: others are not shown. */
  static boolean isReadBy(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW PROCESSLIST")) {
      boolean isRead = false;
      while (row.next()) {
        isRead |= row.getString("Command").startsWith("Binlog Dump");
      }
      return isRead;
    }
  }

  /** Whether connection {@code id} of the same user reads it. */
  static boolean isReadBy(Connection connection, long id) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW PROCESSLIST")) {
      while (row.next()) {
        if (row.getLong("Id") == id) {
          return row.getString("Command").startsWith("Binlog Dump");
        }
      }
      return false;
    }
  }

  /** Ends a connection of the same user. */
  static void endReader(Connection connection, long id) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("KILL " + id);
    }
  }
}
