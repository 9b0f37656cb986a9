package dev.waybill.engine.capture;

import dev.waybill.engine.capture.SourceConfig.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An outbox table as the catalogue describes it.
 *
 * @param owned by the user who looked, or by a role of theirs
 * @param columns their types by name
 */
record PostgresTable(
    TableName name,
    boolean partitioned,
    boolean ordinary,
    boolean logged,
    boolean owned,
    boolean readable,
    boolean rowsHidden,
    boolean hasPrimaryKey,
    long updates,
    Map<String, Type> columns) {

  /**
   * @param name as in {@code pg_type.typname}; of a domain, its base type's
   */
  record Type(String name, boolean isEnum) {}

  private static final String TABLE =
      """
      SELECT c.oid, c.relkind = 'p' AS partitioned, c.relkind IN ('r', 'p') AS ordinary,
             c.relpersistence = 'p' AS logged,
             pg_catalog.pg_has_role(c.relowner, 'USAGE') AS owned,
             pg_catalog.has_schema_privilege(n.oid, 'USAGE')
               AND pg_catalog.has_table_privilege(c.oid, 'SELECT') AS readable,
             pg_catalog.row_security_active(c.oid) AS rows_hidden,
             EXISTS (SELECT FROM pg_catalog.pg_index i
               WHERE i.indrelid = c.oid AND i.indisprimary) AS has_primary_key,
             coalesce((SELECT sum(pg_catalog.pg_stat_get_tuples_updated(p.relid))
               FROM pg_catalog.pg_partition_tree(c.oid) p),
               pg_catalog.pg_stat_get_tuples_updated(c.oid)) AS updates
        FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = ? AND c.relname = ? AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
      """;

  private static final String COLUMNS =
      """
      SELECT a.attname, coalesce(b.typname, t.typname) AS typname,
             coalesce(b.typtype, t.typtype) = 'e' AS is_enum
        FROM pg_catalog.pg_attribute a
        JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_catalog.pg_type b ON t.typtype = 'd' AND b.oid = t.typbasetype
       WHERE a.attrelid = ? AND a.attnum > 0 AND NOT a.attisdropped
      """;

  /** Null if there is no such table. */
  static @Nullable PostgresTable find(Connection connection, TableName name) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(TABLE)) {
      select.setString(1, name.schema());
      select.setString(2, name.name());
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? read(connection, name, row) : null;
      }
    }
  }

  private static PostgresTable read(Connection connection, TableName name, ResultSet row)
      throws SQLException {
    return new PostgresTable(
        name,
        row.getBoolean("partitioned"),
        row.getBoolean("ordinary"),
        row.getBoolean("logged"),
        row.getBoolean("owned"),
        row.getBoolean("readable"),
        row.getBoolean("rows_hidden"),
        row.getBoolean("has_primary_key"),
        row.getLong("updates"),
        columns(connection, row.getLong("oid")));
  }

  private static Map<String, Type> columns(Connection connection, long oid) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(COLUMNS)) {
      select.setLong(1, oid);
      Map<String, Type> columns = new HashMap<>();
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          columns.put(
              row.getString("attname"),
              new Type(row.getString("typname"), row.getBoolean("is_enum")));
        }
      }
      return columns;
    }
  }

  void inspect(Columns expected, String user, List<String> problems, List<String> warnings) {
    if (!ordinary) {
      problems.add(name + " is no table: the log holds rows of tables only");
      return;
    }
    if (!logged) {
      problems.add(
          "table "
              + name
              + " is not written to the log: ALTER TABLE "
              + name.quoted()
              + " SET LOGGED;");
    }
    if (!readable) {
      problems.add(
          "user "
              + user
              + " may not read table "
              + name
              + ": GRANT USAGE ON SCHEMA "
              + Sql.identifier(name.schema())
              + " TO "
              + Sql.identifier(user)
              + "; GRANT SELECT ON "
              + name.quoted()
              + " TO "
              + Sql.identifier(user)
              + ";");
    }
    for (RowField field : RowField.values()) {
      inspectColumn(field, expected, problems);
    }
    warn(expected, warnings);
  }

  private void inspectColumn(RowField field, Columns expected, List<String> problems) {
    String column = field.column(expected);
    Type type = column == null ? null : columns.get(column);
    if (type != null && !field.kind().accepts(type.name(), type.isEnum())) {
      problems.add(
          "column "
              + column
              + " of table "
              + name
              + " is of type "
              + type.name()
              + "; for "
              + field.configName()
              + " it may be "
              + field.kind().types(Dialect.POSTGRES));
    } else if (type == null && field.required(expected)) {
      problems.add(
          "table "
              + name
              + " has no column "
              + column
              + " for "
              + field.configName()
              + ": add it, or name another in source.columns."
              + field.configName());
    }
  }

  private void warn(Columns expected, List<String> warnings) {
    if (!hasPrimaryKey) {
      warnings.add(
          "table " + name + " has no primary key: a parked row can hardly be found again; add one");
    }
    if (rowsHidden) {
      warnings.add(
          "row security hides rows of table "
              + name
              + " from this user: a first start publishes only those it sees. ALTER ROLE … BYPASSRLS");
    }
    if (updates > 0) {
      warnings.add(
          "rows of table "
              + name
              + " have been updated "
              + updates
              + " times: updates are no events and are not published");
    }
    String payload = RowField.PAYLOAD.column(expected);
    Type type = payload == null ? null : columns.get(payload);
    if (type != null && type.name().equals("jsonb")) {
      warnings.add(
          "column "
              + payload
              + " of table "
              + name
              + " is jsonb, which re-orders keys and rewrites numbers before Waybill sees them; json"
              + " keeps what was inserted");
    }
  }
}
