package dev.waybill.engine.capture;

import dev.waybill.engine.capture.SourceConfig.Columns;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one outbox table, in the order a first start publishes them. Confined to one thread.
 */
final class SnapshotTable implements AutoCloseable {

  /** Small, since rows may be megabytes; the server is near enough. */
  private static final int FETCH_ROWS = 100;

  private final String table;
  private final Map<RowField, Integer> columns;
  private final Statement statement;
  private final ResultSet rows;
  private final String contentType;

  private SnapshotTable(
      String table, Map<RowField, Integer> columns, Statement statement, ResultSet rows)
      throws SQLException {
    this.table = table;
    this.columns = columns;
    this.statement = statement;
    this.rows = rows;
    Integer payload = columns.get(RowField.PAYLOAD);
    this.contentType =
        payload == null
            ? ContentType.TEXT
            : ContentType.ofPostgres(rows.getMetaData().getColumnTypeName(payload));
  }

  /** Inside a transaction: a cursor needs one. */
  static SnapshotTable open(Connection connection, TableName table, Columns columns)
      throws SQLException {
    Statement statement = connection.createStatement();
    try {
      Map<RowField, String> names = existing(statement, table, columns);
      statement.setFetchSize(FETCH_ROWS);
      ResultSet rows = statement.executeQuery(select(table, names));
      return new SnapshotTable(table.toString(), numbered(names), statement, rows);
    } catch (SQLException e) {
      statement.close();
      throw e;
    }
  }

  private static Map<RowField, String> existing(
      Statement statement, TableName table, Columns columns) throws SQLException {
    List<String> present = new ArrayList<>();
    try (ResultSet empty = statement.executeQuery("SELECT * FROM " + table.quoted() + " LIMIT 0")) {
      for (int i = 1; i <= empty.getMetaData().getColumnCount(); i++) {
        present.add(empty.getMetaData().getColumnName(i));
      }
    }
    Map<RowField, String> names = new LinkedHashMap<>();
    for (RowField field : RowField.values()) {
      String column = field.column(columns);
      if (column != null && present.contains(column)) {
        names.put(field, column);
      }
    }
    return names;
  }

  private static Map<RowField, Integer> numbered(Map<RowField, String> names) {
    Map<RowField, Integer> numbers = new LinkedHashMap<>();
    names.keySet().forEach(field -> numbers.put(field, numbers.size() + 1));
    return numbers;
  }

  private static String select(TableName table, Map<RowField, String> names) {
    return "SELECT "
        + String.join(", ", names.values().stream().map(Sql::identifier).toList())
        + " FROM "
        + table.quoted()
        + " ORDER BY "
        + String.join(", ", order(names));
  }

  private static List<String> order(Map<RowField, String> names) {
    List<String> order = new ArrayList<>();
    for (RowField field :
        List.of(
            RowField.AGGREGATE_TYPE,
            RowField.AGGREGATE_ID,
            RowField.AGGREGATE_VERSION,
            RowField.ID)) {
      String column = names.get(field);
      if (column != null) {
        order.add(Sql.identifier(column) + " NULLS FIRST");
      }
    }
    return order;
  }

  /** Null after the last row. */
  @Nullable Change next(Instant now) throws SQLException {
    if (!rows.next()) {
      return null;
    }
    return new Change(
        table,
        new OutboxRow(
            text(RowField.ID),
            text(RowField.EVENT_ID),
            text(RowField.AGGREGATE_TYPE),
            text(RowField.AGGREGATE_ID),
            number(RowField.AGGREGATE_VERSION),
            text(RowField.EVENT_TYPE),
            integer(RowField.EVENT_VERSION),
            text(RowField.TOPIC),
            text(RowField.EVENT_KEY),
            bytes(RowField.PAYLOAD),
            contentType,
            text(RowField.HEADERS),
            time(RowField.OCCURRED_AT)),
        now);
  }

  private @Nullable String text(RowField field) throws SQLException {
    Integer column = columns.get(field);
    return column == null ? null : rows.getString(column);
  }

  /** Of an integer column of any width; {@code getObject} insists on the exact one. */
  private @Nullable Long number(RowField field) throws SQLException {
    Integer column = columns.get(field);
    if (column == null) {
      return null;
    }
    long value = rows.getLong(column);
    return rows.wasNull() ? null : value;
  }

  private @Nullable Integer integer(RowField field) throws SQLException {
    Long value = number(field);
    return value == null ? null : Math.toIntExact(value);
  }

  /** Of a text column these are the bytes the server sent, in UTF-8. */
  private byte @Nullable [] bytes(RowField field) throws SQLException {
    Integer column = columns.get(field);
    return column == null ? null : rows.getBytes(column);
  }

  private @Nullable Instant time(RowField field) throws SQLException {
    Integer column = columns.get(field);
    if (column == null) {
      return null;
    }
    if (rows.getMetaData().getColumnTypeName(column).equals("timestamptz")) {
      OffsetDateTime time = rows.getObject(column, OffsetDateTime.class);
      return time == null ? null : Times.of(time);
    }
    LocalDateTime time = rows.getObject(column, LocalDateTime.class);
    return time == null ? null : Times.of(time);
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }
}
