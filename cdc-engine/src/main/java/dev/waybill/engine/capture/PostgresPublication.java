package dev.waybill.engine.capture;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the server lets out of the log: inserts into the outbox tables, and nothing else. Whoever
 * owns the tables makes it; that may be an operator, by {@link #createStatement()}, or the engine's
 * own user.
 */
record PostgresPublication(String name, List<TableName> tables) {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresPublication.class);

  /**
   * What the catalogue says about it.
   *
   * @param entries its own oid, and that of each table's entry in it. Those entries are made anew
   *     with the table, with the publication and with a row filter, and kept by everything else
   */
  record Found(
      boolean inserts,
      boolean insertsOnly,
      boolean viaRoot,
      boolean allTables,
      boolean filtered,
      Set<TableName> tables,
      Map<String, String> entries) {}

  static PostgresPublication of(SourceConfig config) {
    return new PostgresPublication(PostgresNames.of(config).publication(), config.tables());
  }

  String createStatement() {
    return "CREATE PUBLICATION "
        + Sql.identifier(name)
        + " FOR TABLE "
        + tableList()
        + " WITH (publish = 'insert', publish_via_partition_root = true)";
  }

  String setTablesStatement() {
    return "ALTER PUBLICATION " + Sql.identifier(name) + " SET TABLE " + tableList();
  }

  String setOptionsStatement() {
    return "ALTER PUBLICATION "
        + Sql.identifier(name)
        + " SET (publish = 'insert', publish_via_partition_root = true)";
  }

  private String tableList() {
    return tables.stream().map(TableName::quoted).collect(Collectors.joining(", "));
  }

  void createIfMissing(Connection connection) throws SQLException {
    if (find(connection) != null) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(createStatement());
      LOG.info("Created publication {} for {}", name, tables);
    }
  }

  /** Null if there is none of this name. */
  @Nullable Found find(Connection connection) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            """
            SELECT oid, pubinsert, pubinsert AND NOT pubupdate AND NOT pubdelete AND NOT pubtruncate AS inserts_only,
                   pubviaroot, puballtables,
                   -- row filters and column lists came with version 15, which added their columns
                   EXISTS (SELECT FROM pg_catalog.pg_publication_rel r
                     WHERE r.prpubid = p.oid
                       AND (coalesce(pg_catalog.to_jsonb(r) -> 'prqual', 'null') <> 'null'
                         OR coalesce(pg_catalog.to_jsonb(r) -> 'prattrs', 'null') <> 'null')) AS filtered
              FROM pg_catalog.pg_publication p WHERE pubname = ?
            """)) {
      select.setString(1, name);
      try (ResultSet row = select.executeQuery()) {
        return row.next()
            ? new Found(
                row.getBoolean("pubinsert"),
                row.getBoolean("inserts_only"),
                row.getBoolean("pubviaroot"),
                row.getBoolean("puballtables"),
                row.getBoolean("filtered"),
                publishedTables(connection),
                entries(connection, row.getLong("oid")))
            : null;
      }
    }
  }

  private Map<String, String> entries(Connection connection, long oid) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            """
            SELECT n.nspname, c.relname, r.oid
              FROM pg_catalog.pg_publication_rel r
              JOIN pg_catalog.pg_class c ON c.oid = r.prrelid
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
             WHERE r.prpubid = ?
            """)) {
      select.setLong(1, oid);
      Map<String, String> entries = new HashMap<>();
      entries.put("publication", Long.toString(oid));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          TableName table = new TableName(row.getString(1), row.getString(2));
          if (tables.contains(table)) {
            entries.put("published " + table, row.getString(3));
          }
        }
      }
      return entries;
    }
  }

  private Set<TableName> publishedTables(Connection connection) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT schemaname, tablename FROM pg_catalog.pg_publication_tables WHERE pubname = ?")) {
      select.setString(1, name);
      Set<TableName> published = new HashSet<>();
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          published.add(new TableName(row.getString(1), row.getString(2)));
        }
      }
      return published;
    }
  }
}
