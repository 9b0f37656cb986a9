package dev.waybill.engine.capture;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One look at a database: who it is, and all that capture could not work with. */
final class PostgresInspection {

  private static final int OLDEST_VERSION = 140_000;

  private static final String SERVER =
      """
      SELECT pg_catalog.current_setting('server_version') AS version,
             pg_catalog.current_setting('server_version_num')::int AS version_number,
             pg_catalog.current_setting('wal_level') AS wal_level,
             pg_catalog.pg_is_in_recovery() AS standby,
             (SELECT system_identifier FROM pg_catalog.pg_control_system()) AS system,
             (SELECT oid FROM pg_catalog.pg_database
               WHERE datname = pg_catalog.current_database()) AS database_oid,
             pg_catalog.current_database() AS database,
             pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE') AS may_create,
             (SELECT rolsuper OR rolreplication FROM pg_catalog.pg_roles
               WHERE rolname = current_user) AS may_replicate,
             EXISTS (SELECT FROM pg_catalog.pg_roles
               WHERE rolname = 'rds_replication'
                 AND pg_catalog.pg_has_role(oid, 'MEMBER')) AS may_replicate_on_rds,
             current_user AS user_name
      """;

  private final Connection connection;
  private final SourceConfig config;
  private final @Nullable PostgresConnections replication;
  private final PostgresNames names;
  private final List<String> problems = new ArrayList<>();
  private final List<String> withholding = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  /**
   * @param replication to be tried; null while a capture is open, which proves that they work and
   *     may hold the last one that the server has to give
   */
  PostgresInspection(
      Connection connection, SourceConfig config, @Nullable PostgresConnections replication) {
    this.connection = connection;
    this.config = config;
    this.replication = replication;
    this.names = PostgresNames.of(config);
  }

  /**
   * @throws SourceMisconfiguredException with all problems
   */
  SourceReport report() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet server = statement.executeQuery(SERVER)) {
      server.next();
      inspectServer(server);
      List<PostgresTable> tables = inspectTables(server.getString("user_name"));
      Map<String, String> published = inspectPublication(tables, server.getBoolean("may_create"));
      inspectSlots();
      if (!problems.isEmpty()) {
        throw new SourceMisconfiguredException(problems, withholding, heldLog());
      }
      return new SourceReport(
          identity(server),
          published,
          "PostgreSQL " + server.getString("version"),
          heldLog(),
          warnings);
    }
  }

  Map<String, String> identity() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet server = statement.executeQuery(SERVER)) {
      server.next();
      return identity(server);
    }
  }

  private static Map<String, String> identity(ResultSet server) throws SQLException {
    return Map.of(
        "system", server.getString("system"),
        "database", server.getString("database"),
        "database_oid", server.getString("database_oid"));
  }

  private @Nullable String heldLog() throws SQLException {
    return hasOwnSlot() ? "replication slot " + names.slot() : null;
  }

  private boolean hasOwnSlot() throws SQLException {
    PostgresSlot slot = PostgresSlot.find(connection, names.slot());
    return slot != null && !slot.foreign();
  }

  private void inspectServer(ResultSet server) throws SQLException {
    if (server.getInt("version_number") < OLDEST_VERSION) {
      problems.add(
          "the server is PostgreSQL " + server.getString("version") + "; 14 or newer is needed");
    }
    if (server.getBoolean("standby")) {
      problems.add("the server is a standby; connect to the primary");
    }
    if (!server.getString("wal_level").equals("logical")) {
      problems.add(
          "wal_level is '"
              + server.getString("wal_level")
              + "', not 'logical': ALTER SYSTEM SET wal_level = 'logical'; then restart the server");
    }
    if (server.getBoolean("may_replicate") || server.getBoolean("may_replicate_on_rds")) {
      if (replication != null) {
        inspectReplication(replication);
      }
    } else {
      String user = server.getString("user_name");
      problems.add(
          "user "
              + user
              + " may not replicate: ALTER ROLE "
              + Sql.identifier(user)
              + " REPLICATION;");
    }
  }

  /** A pooler may let statements through but not the replication protocol. */
  private void inspectReplication(PostgresConnections connections) throws SQLException {
    try (Connection opened = connections.openReplication();
        Statement statement = opened.createStatement()) {
      statement.execute("IDENTIFY_SYSTEM");
    } catch (SQLException e) {
      if (PostgresErrors.isPassing(e)) {
        throw e;
      }
      problems.add(
          "the server takes no replication connection, SQLSTATE "
              + PostgresErrors.state(e)
              + ": "
              + e.getMessage()
              + ". Connect to the server itself, not to a pooler");
    }
  }

  private List<PostgresTable> inspectTables(String user) throws SQLException {
    List<PostgresTable> tables = new ArrayList<>();
    for (TableName name : config.tables()) {
      PostgresTable table = PostgresTable.find(connection, name);
      if (table == null) {
        problems.add(
            "table "
                + name
                + " does not exist (names are taken to the letter): create it with `waybill schema`,"
                + " or correct source.table");
      } else {
        table.inspect(config.columns(), user, problems, warnings);
        tables.add(table);
      }
    }
    return tables;
  }

  /** Returns what lets the rows into the log; empty before a first start has made it. */
  private Map<String, String> inspectPublication(List<PostgresTable> tables, boolean mayCreate)
      throws SQLException {
    PostgresPublication publication = PostgresPublication.of(config);
    PostgresPublication.Found found = publication.find(connection);
    if (found != null) {
      inspectPublication(publication, found, tables);
      return found.entries();
    }
    inspectMissing(publication, mayCreate && tables.stream().allMatch(PostgresTable::owned));
    return Map.of();
  }

  private void inspectMissing(PostgresPublication publication, boolean creatable)
      throws SQLException {
    if (hasOwnSlot()) {
      withheld(
          "publication "
              + publication.name()
              + " is gone, although slot "
              + names.slot()
              + " exists. As the tables' owner: "
              + publication.createStatement()
              + "; rows committed while it was missing cannot be read from the log");
    } else if (!creatable) {
      problems.add(
          "publication "
              + publication.name()
              + " does not exist, and this user may not create it. As the tables' owner: "
              + publication.createStatement()
              + ";");
    }
  }

  private void withheld(String problem) {
    problems.add(problem);
    withholding.add(problem);
  }

  private void inspectPublication(
      PostgresPublication publication, PostgresPublication.Found found, List<PostgresTable> tables)
      throws SQLException {
    boolean partitioned = tables.stream().anyMatch(PostgresTable::partitioned);
    boolean hidesPartitions = partitioned && !found.viaRoot();
    if (!found.insertsOnly() || hidesPartitions) {
      String problem =
          "publication "
              + publication.name()
              + " must publish inserts alone, under the name of a partitioned table's root: "
              + publication.setOptionsStatement()
              + ";";
      problems.add(problem);
      if (!found.inserts() || hidesPartitions) {
        withholding.add(problem);
      }
    }
    if (found.allTables()) {
      problems.add(
          "publication "
              + publication.name()
              + " lets all tables out of the database: DROP PUBLICATION "
              + Sql.identifier(publication.name())
              + "; "
              + publication.createStatement()
              + ";");
      return;
    }
    if (found.filtered()) {
      withheld(
          "publication "
              + publication.name()
              + " has a row filter or a column list, which would hide events: "
              + publication.setTablesStatement()
              + ";");
    } else if (!partitioned || found.viaRoot()) {
      inspectPublishedTables(publication, found.tables(), tables);
    }
  }

  private void inspectPublishedTables(
      PostgresPublication publication, Set<TableName> published, List<PostgresTable> existing) {
    if (published.equals(new HashSet<>(publication.tables()))) {
      return;
    }
    String problem =
        "publication "
            + publication.name()
            + " is for "
            + published
            + ", not for "
            + publication.tables()
            + ": "
            + publication.setTablesStatement()
            + ";";
    problems.add(problem);
    if (!published.containsAll(existing.stream().map(PostgresTable::name).toList())) {
      withholding.add(problem);
    }
  }

  private void inspectSlots() throws SQLException {
    PostgresSlot slot = PostgresSlot.find(connection, names.slot());
    if (slot == null) {
      inspectFreeSlots();
    } else if (slot.strangeness() != null) {
      problems.add(slot.strangeness());
    }
  }

  private void inspectFreeSlots() throws SQLException {
    try (PreparedStatement select =
            connection.prepareStatement(
                """
                SELECT pg_catalog.current_setting('max_replication_slots')::int AS allowed,
                       (SELECT count(*) FROM pg_catalog.pg_replication_slots) AS used
                """);
        ResultSet row = select.executeQuery()) {
      row.next();
      if (row.getInt("used") >= row.getInt("allowed")) {
        problems.add(
            "all "
                + row.getInt("allowed")
                + " replication slots are in use: ALTER SYSTEM SET max_replication_slots = "
                + (row.getInt("used") + 1)
                + "; then restart the server, or drop one that pg_replication_slots shows as unused");
      }
    }
  }
}
