package dev.waybill.engine.capture;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One look at a server: all that capture could not work with. */
final class MySqlInspection {

  private static final int OLDEST_VERSION = 8;
  private static final long SHORT_RETENTION_SECONDS = 86_400;

  /** Not with {@code SELECT @@…}: one of them that a version does not have would be an error. */
  private static final String VARIABLES =
      """
      SHOW GLOBAL VARIABLES WHERE Variable_name IN (
        'version', 'version_comment', 'server_id', 'log_bin', 'binlog_format', 'binlog_row_image',
        'gtid_mode', 'enforce_gtid_consistency', 'log_replica_updates', 'log_slave_updates',
        'binlog_expire_logs_seconds', 'binlog_expire_logs_auto_purge')
      """;

  private final Connection connection;
  private final SourceConfig config;
  private final MySqlNames names;
  private final Map<String, String> variables = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private final List<String> withholding = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  MySqlInspection(Connection connection, SourceConfig config) {
    this.connection = connection;
    this.config = config;
    this.names = MySqlNames.of(config);
  }

  /**
   * Nothing that a fail-over changes: which server it is, and whether its log goes on where that of
   * the former one ended, is told by GTIDs.
   */
  static Map<String, String> identity() {
    return Map.of("type", "mysql");
  }

  /**
   * @throws SourceMisconfiguredException with all problems
   */
  SourceReport report() throws SQLException {
    readVariables();
    inspectServer();
    if (variable("log_bin").equals("ON")) {
      inspectReplica();
      inspectReplication();
    }
    inspectTables();
    if (!problems.isEmpty()) {
      throw new SourceMisconfiguredException(problems, withholding, null);
    }
    return new SourceReport(identity(), Map.of(), "MySQL " + variable("version"), null, warnings);
  }

  private void readVariables() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(VARIABLES)) {
      while (row.next()) {
        variables.put(row.getString(1).toLowerCase(Locale.ROOT), row.getString(2));
      }
    }
  }

  /** Empty for one that this version does not have. */
  private String variable(String name) {
    return variables.getOrDefault(name, "");
  }

  private void inspectServer() throws SQLException {
    String version = variable("version");
    if (version.contains("MariaDB") || variable("version_comment").contains("MariaDB")) {
      problems.add(
          "the server is MariaDB " + version + ", whose log is another one; MySQL is needed");
      return;
    }
    if (connection.getMetaData().getDatabaseMajorVersion() < OLDEST_VERSION) {
      problems.add("the server is MySQL " + version + "; 8.0 or newer is needed");
    }
    if (!variable("log_bin").equals("ON")) {
      withheld(
          "the server writes no binary log (log_bin is OFF): start it with log-bin and without"
              + " skip-log-bin and disable-log-bin");
    }
    require("binlog_format", "ROW", "SET PERSIST binlog_format = 'ROW'");
    require("binlog_row_image", "FULL", "SET PERSIST binlog_row_image = 'FULL'");
    require(
        "gtid_mode",
        "ON",
        "SET PERSIST enforce_gtid_consistency = ON, and gtid_mode in its steps, OFF_PERMISSIVE,"
            + " ON_PERMISSIVE, ON");
    require("enforce_gtid_consistency", "ON", "SET PERSIST enforce_gtid_consistency = ON");
    inspectServerId();
    warnOfRetention();
  }

  /** It is global; what a session sets otherwise for itself is seen in the log alone. */
  private void require(String name, String value, String remedy) {
    String found = variable(name);
    if (!found.equals(value)) {
      withheld(name + " is '" + found + "', not '" + value + "': " + remedy + ";");
    }
  }

  private void withheld(String problem) {
    problems.add(problem);
    withholding.add(problem);
  }

  private void inspectReplica() {
    String updates = variables.getOrDefault("log_replica_updates", variable("log_slave_updates"));
    if (updates.equals("OFF")) {
      problems.add(
          "log_replica_updates is OFF: were the server a replica, rows of its primary would never"
              + " come into its log. Set it to ON, and restart the server");
    }
  }

  private void inspectServerId() {
    String serverId = variable("server_id");
    if (serverId.equals("0")) {
      problems.add(
          "server_id is 0, with which a server serves no reader of its log: SET PERSIST server_id ="
              + " 1;");
    } else if (serverId.equals(Long.toString(names.serverId()))) {
      problems.add(
          "server id "
              + serverId
              + " is the server's own: choose another number for the engine in source.server-id");
    }
  }

  private void warnOfRetention() {
    String seconds = variable("binlog_expire_logs_seconds");
    if (seconds.isEmpty() || variable("binlog_expire_logs_auto_purge").equals("OFF")) {
      return;
    }
    long kept = Long.parseLong(seconds);
    if (kept > 0 && kept < SHORT_RETENTION_SECONDS) {
      warnings.add(
          "the server keeps its log for "
              + kept
              + " s only (binlog_expire_logs_seconds): an engine that stands still for longer has"
              + " lost rows, and stops. Keep it for days");
    }
  }

  /** Filters and other readers of the log are shown to those alone who may replicate. */
  private void inspectReplication() throws SQLException {
    try {
      inspectFilters();
    } catch (SQLException e) {
      addMissing("REPLICATION CLIENT", e);
    }
    try {
      inspectReaders();
    } catch (SQLException e) {
      addMissing("REPLICATION SLAVE", e);
    }
  }

  private void addMissing(String privilege, SQLException e) throws SQLException {
    if (!MySqlErrors.isDenied(e)) {
      throw e;
    }
    problems.add(
        "user " + user() + " may not replicate: GRANT " + privilege + " ON *.* TO " + user() + ";");
  }

  /** As GRANT takes it. */
  private String user() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT current_user()")) {
      row.next();
      String user = row.getString(1);
      int at = user.lastIndexOf('@');
      return Dialect.MYSQL.identifier(user.substring(0, at))
          + "@"
          + Dialect.MYSQL.identifier(user.substring(at + 1));
    }
  }

  private void inspectFilters() throws SQLException {
    MySqlLog.Filters filters = MySqlLog.filters(connection);
    for (String schema :
        config.tables().stream().map(TableName::schema).distinct().sorted().toList()) {
      if (!filters.lets(schema)) {
        withheld(
            "the server's options binlog-do-db and binlog-ignore-db keep the rows of database "
                + schema
                + " out of its log: start it without them");
      }
    }
  }

  private void inspectReaders() throws SQLException {
    if (MySqlLog.registeredReaders(connection).contains(names.serverId())) {
      problems.add(
          "a replica with server id "
              + names.serverId()
              + " reads from this server, which ends the older of two readers with one id: choose"
              + " another number for the engine in source.server-id");
    }
  }

  private void inspectTables() throws SQLException {
    for (TableName name : config.tables()) {
      MySqlTable table = MySqlTable.find(connection, name, config.columns());
      if (table == null) {
        problems.add(
            "table "
                + name
                + " does not exist, or user "
                + user()
                + " may not see it, which MySQL does not tell apart: create it with `waybill schema`,"
                + " correct source.table, or GRANT SELECT ON "
                + Dialect.MYSQL.table(name)
                + " TO "
                + user()
                + ";");
      } else {
        table.inspect(name, config.columns(), user(), problems, warnings);
      }
    }
  }
}
