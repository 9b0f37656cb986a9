package dev.waybill.engine.capture;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table, in order, as they were at one place of the log. MySQL writes rows there
 * without names, charsets and signs: whoever reads them must know the columns of that time.
 * Immutable.
 *
 * @param definition what follows the name in a CREATE TABLE, without defaults, keys and comments,
 *     such as {@code (`id` bigint NOT NULL, `payload` longtext CHARACTER SET utf8mb4) CHARACTER SET
 *     utf8mb4}
 */
record MySqlColumns(String definition) {

  private static final String COLUMNS =
      """
      SELECT column_name AS name, column_type AS type, character_set_name AS charset,
             is_nullable = 'YES' AS nullable
        FROM information_schema.columns
       WHERE table_schema = ? AND table_name = ?
       ORDER BY ordinal_position
      """;

  private static final String CHARSET =
      """
      SELECT character_set_name AS charset
        FROM information_schema.tables
        JOIN information_schema.collations ON collation_name = table_collation
       WHERE table_schema = ? AND table_name = ?
      """;

  /**
   * One column.
   *
   * @param type as in {@code information_schema.columns.column_type}
   * @param charset null for what is no text
   */
  record Column(String name, String type, @Nullable String charset, boolean nullable) {

    String definition() {
      return quoted(name)
          + " "
          + type
          + MySqlColumns.charset(charset)
          + (nullable ? "" : " NOT NULL");
    }
  }

  /**
   * @param charset of columns that are added without one; null for the database's
   */
  static MySqlColumns of(List<Column> columns, @Nullable String charset) {
    return new MySqlColumns(
        "("
            + String.join(", ", columns.stream().map(Column::definition).toList())
            + ")"
            + charset(charset));
  }

  private static String charset(@Nullable String charset) {
    return charset == null ? "" : " CHARACTER SET " + charset.toLowerCase(Locale.ROOT);
  }

  /**
   * The columns that a table has now.
   *
   * @return null if there is no such table, or this user may not see it
   */
  static @Nullable MySqlColumns read(Connection connection, TableName table) throws SQLException {
    List<Column> columns = new ArrayList<>();
    try (PreparedStatement select = MySqlTable.prepare(connection, COLUMNS, table);
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        columns.add(
            new Column(
                row.getString("name"),
                row.getString("type"),
                row.getString("charset"),
                row.getBoolean("nullable")));
      }
    }
    try (PreparedStatement select = MySqlTable.prepare(connection, CHARSET, table);
        ResultSet row = select.executeQuery()) {
      return columns.isEmpty() || !row.next() ? null : of(columns, row.getString("charset"));
    }
  }

  /** The statement that makes such a table. */
  String createStatement(TableName table) {
    return "CREATE TABLE " + quoted(table.schema()) + "." + quoted(table.name()) + " " + definition;
  }

  private static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }
}
