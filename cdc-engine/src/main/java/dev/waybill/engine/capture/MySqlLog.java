package dev.waybill.engine.capture;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a server says of its binary log. */
final class MySqlLog {

  private MySqlLog() {}

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
}
