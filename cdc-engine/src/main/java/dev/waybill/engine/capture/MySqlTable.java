package dev.waybill.engine.capture;

import dev.waybill.engine.capture.SourceConfig.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An outbox table as the catalogue describes it to this user.
 *
 * @param name as the server spells it
 * @param engine that stores it; null for a view
 * @param columns by name
 * @param keys the columns of which each alone is a key
 * @param refusal what the server said to a SELECT of the columns that are read; null if it answered
 */
record MySqlTable(
    TableName name,
    @Nullable String engine,
    Map<String, Column> columns,
    Set<String> keys,
    @Nullable SQLException refusal) {

  /**
   * One column.
   *
   * @param dataType such as {@code bigint}
   * @param collation null for what is no text
   */
  record Column(String dataType, @Nullable String collation) {

    /** Names of collations end in what they tell apart: {@code _ci}, {@code _cs}, {@code _bin}. */
    boolean ignoresCase() {
      return collation != null && collation.toLowerCase(Locale.ROOT).endsWith("_ci");
    }
  }

  private static final String TABLE =
      """
      SELECT table_schema AS found_schema, table_name AS found_name, engine AS found_engine
        FROM information_schema.tables
       WHERE table_schema = ? AND table_name = ?
      """;

  private static final String COLUMNS =
      """
      SELECT column_name AS name, data_type AS type, collation_name AS collation
        FROM information_schema.columns
       WHERE table_schema = ? AND table_name = ?
      """;

  private static final String KEYS =
      """
      SELECT max(column_name) AS name
        FROM information_schema.statistics
       WHERE table_schema = ? AND table_name = ? AND non_unique = 0
       GROUP BY index_name HAVING count(*) = 1 AND max(sub_part) IS NULL
      """;

  private static final String INNODB = "InnoDB";
  private static final List<RowField> IDS =
      List.of(RowField.EVENT_ID, RowField.AGGREGATE_TYPE, RowField.AGGREGATE_ID);

  /**
   * Null if there is no such table, or this user may do nothing with it: the server tells alike.
   */
  static @Nullable MySqlTable find(Connection connection, TableName name, Columns expected)
      throws SQLException {
    try (PreparedStatement select = prepare(connection, TABLE, name);
        ResultSet row = select.executeQuery()) {
      if (!row.next()) {
        return null;
      }
      Map<String, Column> columns = columns(connection, name);
      return new MySqlTable(
          new TableName(row.getString("found_schema"), row.getString("found_name")),
          row.getString("found_engine"),
          columns,
          keys(connection, name),
          refusal(connection, name, read(expected, columns.keySet())));
    }
  }

  /** For a query of the catalogue that asks for schema and table. */
  static PreparedStatement prepare(Connection connection, String sql, TableName name)
      throws SQLException {
    PreparedStatement select = connection.prepareStatement(sql);
    select.setString(1, name.schema());
    select.setString(2, name.name());
    return select;
  }

  private static Map<String, Column> columns(Connection connection, TableName name)
      throws SQLException {
    Map<String, Column> columns = new HashMap<>();
    try (PreparedStatement select = prepare(connection, COLUMNS, name);
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        columns.put(
            row.getString("name"),
            new Column(row.getString("type").toLowerCase(Locale.ROOT), row.getString("collation")));
      }
    }
    return columns;
  }

  private static Set<String> keys(Connection connection, TableName name) throws SQLException {
    Set<String> keys = new HashSet<>();
    try (PreparedStatement select = prepare(connection, KEYS, name);
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        keys.add(row.getString("name"));
      }
    }
    return keys;
  }

  /** The columns that are there of those that the configuration expects. */
  private static List<String> read(Columns expected, Set<String> present) {
    return RowField.columns(expected).values().stream().filter(present::contains).toList();
  }

  private static @Nullable SQLException refusal(
      Connection connection, TableName name, List<String> columns) throws SQLException {
    String list =
        columns.isEmpty()
            ? "1"
            : String.join(", ", columns.stream().map(Dialect.MYSQL::identifier).toList());
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT " + list + " FROM " + Dialect.MYSQL.table(name) + " LIMIT 0");
      return null;
    } catch (SQLException e) {
      if (MySqlErrors.isDenied(e)) {
        return e;
      }
      throw e;
    }
  }

  /** Whether the column of the rows' ids is a key, so that an id means one row. */
  boolean hasKey(Columns expected) {
    String id = RowField.ID.column(expected);
    return id != null && keys.contains(id);
  }

  /**
   * @param asked the name in the configuration
   * @param user for GRANT, see {@link MySqlInspection}
   */
  void inspect(
      TableName asked,
      Columns expected,
      String user,
      List<String> problems,
      List<String> warnings) {
    if (!name.equals(asked)) {
      problems.add(
          "table "
              + asked
              + " is called "
              + name
              + " by this server, which does not tell capitals from small letters; the log has that"
              + " name: correct source.table");
      return;
    }
    if (engine == null) {
      problems.add(name + " is no table: the log holds rows of tables only");
      return;
    }
    if (!engine.equals(INNODB)) {
      problems.add(
          "table "
              + name
              + " is stored by "
              + engine
              + ", which knows no transactions: ALTER TABLE "
              + Dialect.MYSQL.table(name)
              + " ENGINE = InnoDB;");
    }
    if (refusal != null) {
      problems.add(
          "user "
              + user
              + " may not read table "
              + name
              + ": GRANT SELECT ON "
              + Dialect.MYSQL.table(name)
              + " TO "
              + user
              + ";");
      if (columns.isEmpty()) {
        // Shown to those alone who have some right to them: no more can be said.
        return;
      }
    }
    for (RowField field : RowField.values()) {
      inspectColumn(field, expected, problems);
    }
    warn(expected, warnings);
  }

  private void inspectColumn(RowField field, Columns expected, List<String> problems) {
    String name = field.column(expected);
    Column column = name == null ? null : columns.get(name);
    if (column != null && !field.kind().accepts(Dialect.MYSQL, column.dataType())) {
      problems.add(
          "column "
              + name
              + " of table "
              + this.name
              + " is of type "
              + column.dataType()
              + "; for "
              + field.configName()
              + " it may be "
              + field.kind().types(Dialect.MYSQL));
    } else if (column == null && field.required(expected)) {
      problems.add(
          "table "
              + this.name
              + " has no column "
              + name
              + " for "
              + field.configName()
              + ", or this user may not see it: add it, grant SELECT on the table, or name another"
              + " in source.columns."
              + field.configName());
    }
  }

  private void warn(Columns expected, List<String> warnings) {
    if (!hasKey(expected)) {
      warnings.add(
          "column "
              + RowField.ID.column(expected)
              + " of table "
              + name
              + " is neither primary key nor unique: a parked row can hardly be found again; make it"
              + " the key");
    }
    for (RowField id : IDS) {
      String column = id.column(expected);
      Column found = column == null ? null : columns.get(column);
      if (found != null && found.ignoresCase()) {
        warnings.add(
            "column "
                + column
                + " of table "
                + name
                + " has collation "
                + found.collation()
                + ", to which abc and ABC are one id; to Waybill and Kafka they are two. Give it"
                + " COLLATE utf8mb4_0900_bin");
      }
    }
    String payload = RowField.PAYLOAD.column(expected);
    Column found = payload == null ? null : columns.get(payload);
    if (found != null && found.dataType().equals("json")) {
      warnings.add(
          "column "
              + payload
              + " of table "
              + name
              + " is json, which re-orders keys and rewrites numbers before Waybill sees them;"
              + " longtext with CHECK (JSON_VALID("
              + payload
              + ")) keeps what was inserted");
    }
  }
}
