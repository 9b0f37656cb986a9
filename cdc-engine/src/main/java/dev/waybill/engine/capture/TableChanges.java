package dev.waybill.engine.capture;

import dev.waybill.engine.capture.MySqlColumns.Column;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.connect.data.Struct;

/**
 * What Debezium has understood of a statement that changes tables, in the form of its {@code
 * ConnectTableChangeSerializer}.
 */
final class TableChanges {

  static final String FIELD = "tableChanges";

  private TableChanges() {}

  static void apply(Struct value, MySqlTracker tracker) {
    String gtid = MySqlLogDecoder.gtid(value.getStruct("source"));
    for (Struct change : value.<Struct>getArray(FIELD)) {
      TableName table = table(change.getString("id"));
      Struct definition = change.getStruct("table");
      tracker.columns(
          gtid,
          table,
          definition == null || "DROP".equals(change.getString("type"))
              ? null
              : columns(definition));
    }
  }

  /** {@code "database"."table"}; quotes within names are doubled. */
  private static TableName table(String id) {
    int middle = id.indexOf("\".\"");
    return new TableName(
        unquoted(id.substring(1, middle)), unquoted(id.substring(middle + 3, id.length() - 1)));
  }

  private static String unquoted(String name) {
    return name.replace("\"\"", "\"");
  }

  private static MySqlColumns columns(Struct definition) {
    List<Column> columns =
        definition.<Struct>getArray("columns").stream().map(TableChanges::column).toList();
    return MySqlColumns.of(columns, definition.getString("defaultCharsetName"));
  }

  private static Column column(Struct column) {
    return new Column(
        column.getString("name"),
        type(column),
        column.getString("charsetName"),
        column.getBoolean("optional"));
  }

  /** As the server writes it: {@code bigint unsigned}, {@code varchar(64)}, {@code enum('a')}. */
  private static String type(Struct column) {
    String name = column.getString("typeName").toLowerCase(Locale.ROOT);
    int end = name.indexOf(' ');
    String base = end < 0 ? name : name.substring(0, end);
    String rest = end < 0 ? "" : name.substring(end);
    return base + arguments(column) + rest;
  }

  private static String arguments(Struct column) {
    List<String> values = column.getArray("enumValues");
    if (values != null && !values.isEmpty()) {
      return "("
          + String.join(
              ",", values.stream().map(value -> "'" + value.replace("'", "''") + "'").toList())
          + ")";
    }
    Integer length = column.getInt32("length");
    Integer scale = column.getInt32("scale");
    return length == null ? "" : scale == null ? "(" + length + ")" : decimal(length, scale);
  }

  private static String decimal(int length, int scale) {
    return "(" + length + "," + scale + ")";
  }
}
