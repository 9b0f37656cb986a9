package dev.waybill.engine.capture;

import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import com.github.shyiko.mysql.binlog.event.TableMapEventMetadata;
import com.github.shyiko.mysql.binlog.event.deserialization.ColumnType;
import io.debezium.relational.Column;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the log itself says of the columns of the rows that follow: their number and types, which of
 * the numbers are unsigned, the charsets of texts, and with {@code binlog_row_metadata = FULL}
 * their names.
 */
final class LoggedColumns {

  private static final String REMEDY =
      ". Its columns were changed by a statement that is not in the log (sql_log_bin = 0) or that"
          + " was not understood";

  private static final Set<ColumnType> VARYING = Set.of(ColumnType.VARCHAR, ColumnType.VAR_STRING);

  private static final Set<ColumnType> TEXTS =
      Set.of(ColumnType.STRING, ColumnType.VARCHAR, ColumnType.VAR_STRING, ColumnType.BLOB);

  private LoggedColumns() {}

  /** How rows with these columns differ from what is known of the table; null if they do not. */
  static @Nullable String misfit(List<Column> known, TableMapEventData event) {
    byte[] types = event.getColumnTypes();
    if (types.length != known.size()) {
      return "they have " + types.length + " columns, not " + known.size() + REMEDY;
    }
    for (int i = 0; i < types.length; i++) {
      Column column = known.get(i);
      ColumnType logged = type(types[i], event.getColumnMetadata()[i]);
      if (!types(column).contains(logged)) {
        return "column " + column.name() + " is " + logged + ", not " + column.typeName() + REMEDY;
      }
    }
    TableMapEventMetadata metadata = event.getEventMetadata();
    return metadata == null ? null : misfit(known, event, metadata);
  }

  private static @Nullable String misfit(
      List<Column> known, TableMapEventData event, TableMapEventMetadata metadata) {
    byte[] types = event.getColumnTypes();
    List<String> names = metadata.getColumnNames();
    if (names != null && !names.equals(known.stream().map(Column::name).toList())) {
      return "their columns are " + names + REMEDY;
    }
    BitSet unsigned = metadata.getSignedness();
    for (int i = 0; i < types.length && unsigned != null; i++) {
      Column column = known.get(i);
      if (isNumber(ColumnType.byCode(types[i] & 0xff)) && unsigned.get(i) != isUnsigned(column)) {
        return "the sign of column " + column.name() + " is another one" + REMEDY;
      }
    }
    String charset = LoggedCharsets.misfit(texts(known, event), metadata);
    return charset == null ? null : charset + REMEDY;
  }

  /** And binaries; those for which the server writes a charset. */
  private static List<Column> texts(List<Column> known, TableMapEventData event) {
    return IntStream.range(0, known.size())
        .filter(i -> TEXTS.contains(type(event.getColumnTypes()[i], event.getColumnMetadata()[i])))
        .mapToObj(known::get)
        .toList();
  }

  /** The server writes signs only for these. */
  private static boolean isNumber(ColumnType type) {
    return switch (type) {
      case TINY, SHORT, INT24, LONG, LONGLONG, NEWDECIMAL, FLOAT, DOUBLE, YEAR -> true;
      default -> false;
    };
  }

  private static boolean isUnsigned(Column column) {
    String type = column.typeName().toUpperCase(Locale.ROOT);
    // Both are so by definition.
    return type.contains("UNSIGNED") || type.contains("ZEROFILL") || type.startsWith("YEAR");
  }

  /** ENUM and SET hide behind STRING. */
  private static ColumnType type(byte code, int metadata) {
    ColumnType type = ColumnType.byCode(code & 0xff);
    if (type == ColumnType.STRING) {
      int real = metadata >> 8;
      return real == ColumnType.ENUM.getCode()
          ? ColumnType.ENUM
          : real == ColumnType.SET.getCode() ? ColumnType.SET : ColumnType.STRING;
    }
    return type;
  }

  private static Set<ColumnType> types(Column column) {
    String name = column.typeName().toUpperCase(Locale.ROOT);
    int end = name.indexOf(' ');
    return switch (end < 0 ? name : name.substring(0, end)) {
      case "TINYINT", "BOOL", "BOOLEAN" -> EnumSet.of(ColumnType.TINY);
      case "SMALLINT" -> EnumSet.of(ColumnType.SHORT);
      case "MEDIUMINT" -> EnumSet.of(ColumnType.INT24);
      case "INT", "INTEGER" -> EnumSet.of(ColumnType.LONG);
      case "BIGINT", "SERIAL" -> EnumSet.of(ColumnType.LONGLONG);
      case "CHAR", "BINARY", "NCHAR", "CHARACTER", "NATIONAL" ->
          // CHARACTER VARYING, NATIONAL VARCHAR
          name.contains(" VAR") ? VARYING : EnumSet.of(ColumnType.STRING);
      case "VARCHAR", "VARBINARY", "NVARCHAR" -> VARYING;
      case "TINYTEXT",
          "TEXT",
          "MEDIUMTEXT",
          "LONGTEXT",
          "TINYBLOB",
          "BLOB",
          "MEDIUMBLOB",
          "LONGBLOB" ->
          EnumSet.of(ColumnType.BLOB);
      case "JSON" -> EnumSet.of(ColumnType.JSON);
      case "ENUM" -> EnumSet.of(ColumnType.ENUM);
      case "SET" -> EnumSet.of(ColumnType.SET);
      case "DATE" -> EnumSet.of(ColumnType.DATE, ColumnType.NEWDATE);
      case "TIME" -> EnumSet.of(ColumnType.TIME, ColumnType.TIME_V2);
      case "DATETIME" -> EnumSet.of(ColumnType.DATETIME, ColumnType.DATETIME_V2);
      case "TIMESTAMP" -> EnumSet.of(ColumnType.TIMESTAMP, ColumnType.TIMESTAMP_V2);
      // Of no use in an outbox.
      default -> EnumSet.allOf(ColumnType.class);
    };
  }
}
