package dev.waybill.engine.capture;

import dev.waybill.engine.capture.SourceConfig.Columns;
import dev.waybill.engine.capture.SourceConfig.Layout;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The fields of an {@link OutboxRow}: which column holds each, and of which types it may be. */
enum RowField {
  ID(Kind.NAME, true, "id"),
  EVENT_ID(Kind.NAME, true, "id"),
  AGGREGATE_TYPE(Kind.NAME, true, "aggregatetype"),
  AGGREGATE_ID(Kind.NAME, true, "aggregateid"),
  AGGREGATE_VERSION(Kind.NUMBER, false, null),
  EVENT_TYPE(Kind.NAME, true, "type"),
  EVENT_VERSION(Kind.SMALL_NUMBER, false, null),
  TOPIC(Kind.NAME, false, null),
  EVENT_KEY(Kind.NAME, false, null),
  PAYLOAD(Kind.PAYLOAD, true, "payload"),
  HEADERS(Kind.TEXT, false, null),
  OCCURRED_AT(Kind.TIME, false, null);

  /**
   * What a column must hold. The types are on PostgreSQL those of {@code pg_type.typname}, on MySQL
   * those of {@code information_schema.columns.data_type}.
   */
  enum Kind {
    NAME(
        "text, varchar, bpchar, citext, uuid, int2, int4, int8",
        "varchar, char, tinytext, text, mediumtext, longtext, enum, tinyint, smallint, mediumint,"
            + " int, bigint"),
    NUMBER("int2, int4, int8", "tinyint, smallint, mediumint, int, bigint"),
    SMALL_NUMBER("int2, int4", "tinyint, smallint, mediumint, int"),
    TEXT("text, varchar, json, jsonb", "varchar, tinytext, text, mediumtext, longtext, json"),
    PAYLOAD(
        "text, varchar, json, jsonb, bytea",
        "varchar, tinytext, text, mediumtext, longtext, json, varbinary, tinyblob, blob,"
            + " mediumblob, longblob"),
    TIME("timestamp, timestamptz", "datetime, timestamp");

    private final String postgresTypes;
    private final String mySqlTypes;

    Kind(String postgresTypes, String mySqlTypes) {
      this.postgresTypes = postgresTypes;
      this.mySqlTypes = mySqlTypes;
    }

    /** On PostgreSQL, where an enum is a type of its own and as good as a name. */
    boolean accepts(String typeName, boolean isEnum) {
      return accepts(Dialect.POSTGRES, typeName) || (isEnum && this == NAME);
    }

    boolean accepts(Dialect dialect, String typeName) {
      return List.of(types(dialect).split(", ")).contains(typeName);
    }

    String types(Dialect dialect) {
      return switch (dialect) {
        case POSTGRES -> postgresTypes;
        case MYSQL -> mySqlTypes;
      };
    }
  }

  private final Kind kind;
  private final boolean required;
  private final @Nullable String debeziumColumn;

  RowField(Kind kind, boolean required, @Nullable String debeziumColumn) {
    this.kind = kind;
    this.required = required;
    this.debeziumColumn = debeziumColumn;
  }

  Kind kind() {
    return kind;
  }

  /** Whether the table must have it, or the operator has named its column. */
  boolean required(Columns columns) {
    return required || columns.overrides().containsKey(configName());
  }

  /** The column that holds this field; null if the layout has none. */
  @Nullable String column(Columns columns) {
    String override = columns.overrides().get(configName());
    if (override != null) {
      return override;
    }
    return columns.layout() == Layout.NATIVE ? configName() : debeziumColumn;
  }

  /** The columns that a layout has, in the order of the fields. */
  static Map<RowField, String> columns(Columns columns) {
    Map<RowField, String> names = new EnumMap<>(RowField.class);
    for (RowField field : values()) {
      String column = field.column(columns);
      if (column != null) {
        names.put(field, column);
      }
    }
    return names;
  }

  /** Its name in the configuration, and in the native layout. */
  String configName() {
    return name().toLowerCase(Locale.ROOT);
  }

  static boolean isName(String text) {
    return Arrays.stream(values()).anyMatch(field -> field.configName().equals(text));
  }

  static String names() {
    return Arrays.stream(values()).map(RowField::configName).collect(Collectors.joining(", "));
  }
}
