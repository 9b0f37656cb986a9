package dev.waybill.engine.capture;

import dev.waybill.engine.capture.SourceConfig.Columns;
import dev.waybill.engine.capture.SourceConfig.Layout;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one outbox table, in the order a first start publishes them. Confined to one thread.
 */
final class SnapshotTable implements AutoCloseable {

  /** Between two rows; before the first one the server sorts them, for as long as that takes. */
  private static final Duration SILENCE_LIMIT = Duration.ofMinutes(10);

  private final Dialect dialect;
  private final String table;
  private final Map<RowField, Integer> columns;
  private final Statement statement;
  private final ResultSet rows;
  private final String contentType;
  private boolean hasBegun;

  private SnapshotTable(
      Dialect dialect,
      TableName table,
      Map<RowField, Integer> columns,
      Layout layout,
      ResultSet rows)
      throws SQLException {
    this.dialect = dialect;
    this.table = table.toString();
    this.columns = columns;
    this.statement = rows.getStatement();
    this.rows = rows;
    Integer payload = columns.get(RowField.PAYLOAD);
    this.contentType =
        payload == null
            ? ContentType.TEXT
            : dialect.contentType(rows.getMetaData().getColumnTypeName(payload), layout);
  }

  /** Inside a transaction: a cursor needs one. */
  static SnapshotTable open(
      Dialect dialect, Connection connection, TableName table, Columns columns)
      throws SQLException {
    Statement statement = connection.createStatement();
    try {
      Map<RowField, String> names = existing(dialect, statement, table, columns);
      statement.setFetchSize(dialect.fetchRows());
      dialect.limitSilence(connection, Duration.ZERO);
      ResultSet rows = statement.executeQuery(select(dialect, table, names));
      return new SnapshotTable(dialect, table, numbered(names), columns.layout(), rows);
    } catch (SQLException e) {
      statement.close();
      throw e;
    }
  }

  private static Map<RowField, String> existing(
      Dialect dialect, Statement statement, TableName table, Columns columns) throws SQLException {
    List<String> present = new ArrayList<>();
    try (ResultSet empty =
        statement.executeQuery("SELECT * FROM " + dialect.table(table) + " LIMIT 0")) {
      for (int i = 1; i <= empty.getMetaData().getColumnCount(); i++) {
        present.add(empty.getMetaData().getColumnName(i));
      }
    }
    Map<RowField, String> names = RowField.columns(columns);
    names.values().retainAll(present);
    return names;
  }

  private static Map<RowField, Integer> numbered(Map<RowField, String> names) {
    Map<RowField, Integer> numbers = new LinkedHashMap<>();
    names.keySet().forEach(field -> numbers.put(field, numbers.size() + 1));
    return numbers;
  }

  private static String select(Dialect dialect, TableName table, Map<RowField, String> names) {
    return "SELECT "
        + String.join(", ", names.values().stream().map(dialect::identifier).toList())
        + " FROM "
        + dialect.table(table)
        + " ORDER BY "
        + String.join(", ", order(dialect, names));
  }

  private static List<String> order(Dialect dialect, Map<RowField, String> names) {
    return Stream.of(
            RowField.AGGREGATE_TYPE, RowField.AGGREGATE_ID, RowField.AGGREGATE_VERSION, RowField.ID)
        .flatMap(field -> Stream.ofNullable(names.get(field)))
        .map(column -> dialect.nullsFirst(dialect.identifier(column)))
        .toList();
  }

  /** Null after the last row. */
  @Nullable Change next(Instant now) throws SQLException {
    if (!rows.next()) {
      return null;
    }
    if (!hasBegun) {
      hasBegun = true;
      dialect.limitSilence(statement.getConnection(), SILENCE_LIMIT);
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
    return column == null ? null : dialect.time(rows, column);
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }
}
