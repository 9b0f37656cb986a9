package dev.waybill.engine.capture;

import dev.waybill.engine.capture.SourceConfig.Columns;
import dev.waybill.engine.capture.SourceConfig.Layout;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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

  /** What a column must hold; the types are those of {@code pg_type.typname}. */
  enum Kind {
    NAME("text, varchar, bpchar, citext, uuid, int2, int4, int8"),
    NUMBER("int2, int4, int8"),
    SMALL_NUMBER("int2, int4"),
    TEXT("text, varchar, json, jsonb"),
    PAYLOAD("text, varchar, json, jsonb, bytea"),
    TIME("timestamp, timestamptz");

    private final String types;

    Kind(String types) {
      this.types = types;
    }

    /** An enum type is as good as a name. */
    boolean accepts(String typeName, boolean isEnum) {
      return List.of(types.split(", ")).contains(typeName) || (isEnum && this == NAME);
    }

    String types() {
      return types;
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
