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
 * @param definitions what stands between the parentheses of a CREATE TABLE, without defaults and
 *     comments, such as {@code `id` bigint NOT NULL, `payload` longtext CHARACTER SET utf8mb4}
 */
record MySqlColumns(String definitions) {

  private static final String SELECT =
      """
      SELECT column_name AS name, column_type AS type, character_set_name AS charset,
             is_nullable = 'YES' AS nullable
        FROM information_schema.columns
       WHERE table_schema = ? AND table_name = ?
       ORDER BY ordinal_position
      """;

  /**
   * One column.
   *
   * @param type as in {@code information_schema.columns.column_type}
   * @param charset null for what is no text
   */
  record Column(String name, String type, @Nullable String charset, boolean nullable) {

    String definition() {
      return "`"
          + name.replace("`", "``")
          + "` "
          + type
          + (charset == null ? "" : " CHARACTER SET " + charset.toLowerCase(Locale.ROOT))
          + (nullable ? "" : " NOT NULL");
    }
  }

  static MySqlColumns of(List<Column> columns) {
    return new MySqlColumns(String.join(", ", columns.stream().map(Column::definition).toList()));
  }

  /**
   * The columns that a table has now.
   *
   * @return null if there is no such table, or this user may not see it
   */
  static @Nullable MySqlColumns read(Connection connection, TableName table) throws SQLException {
    List<Column> columns = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(SELECT)) {
      select.setString(1, table.schema());
      select.setString(2, table.name());
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          columns.add(
              new Column(
                  row.getString("name"),
                  row.getString("type"),
                  row.getString("charset"),
                  row.getBoolean("nullable")));
        }
      }
    }
    return columns.isEmpty() ? null : of(columns);
  }
}
