package dev.waybill.engine.capture;

import dev.waybill.engine.capture.SourceConfig.Columns;
import dev.waybill.engine.capture.SourceConfig.Layout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of one table while its columns stay as they are: the places of the columns are
 * looked up once. Immutable.
 */
final class RowDecoder {

  private static final String SOURCE_TYPE = "__debezium.source.column.type";

  private final TableName table;
  private final Field operation;
  private final Field after;
  private final Map<RowField, Field> fields = new EnumMap<>(RowField.class);
  private final String contentType;

  /** Empty for what is no row of one of {@code tables}, to the letter. */
  static Optional<RowDecoder> of(Struct value, List<TableName> tables, Columns columns) {
    Schema schema = value.schema();
    if (schema.field("after") == null || schema.field("source") == null) {
      return Optional.empty();
    }
    Struct source = value.getStruct("source");
    // MySQL has databases where PostgreSQL has schemas.
    String place = source.schema().field("schema") == null ? "db" : "schema";
    TableName table = new TableName(source.getString(place), source.getString("table"));
    return tables.contains(table)
        ? Optional.of(new RowDecoder(table, schema, columns))
        : Optional.empty();
  }

  private RowDecoder(TableName table, Schema schema, Columns columns) {
    this.table = table;
    this.operation = schema.field("op");
    this.after = schema.field("after");
    for (RowField field : RowField.values()) {
      String column = field.column(columns);
      Field present = column == null ? null : after.schema().field(column);
      if (present != null) {
        fields.put(field, present);
      } else if (field.required(columns)) {
        throw missing(field, column);
      }
    }
    this.contentType = contentType(fields.get(RowField.PAYLOAD), columns.layout());
  }

  /** The log tells of each row under the names that its columns had when it was written. */
  private SourceMisconfiguredException missing(RowField field, @Nullable String column) {
    return new SourceMisconfiguredException(
        List.of(
            "the log holds rows of table "
                + table
                + " without column "
                + column
                + " for "
                + field.configName()
                + "; they have "
                + after.schema().fields().stream().map(Field::name).toList()
                + ". Nothing of them is published. If the column was renamed, name it in"
                + " source.columns."
                + field.configName()
                + " as those rows do; if it was dropped, what they mean is lost: begin anew, as after"
                + " a gap"));
  }

  TableName table() {
    return table;
  }

  boolean isInsert(Struct value) {
    return "c".equals(value.get(operation));
  }

  Change decode(Struct value, Instant committedAt) {
    Struct row = (Struct) Objects.requireNonNull(value.get(after), "an insert has a row");
    return new Change(
        table.toString(),
        new OutboxRow(
            text(row, RowField.ID),
            text(row, RowField.EVENT_ID),
            text(row, RowField.AGGREGATE_TYPE),
            text(row, RowField.AGGREGATE_ID),
            number(row, RowField.AGGREGATE_VERSION),
            text(row, RowField.EVENT_TYPE),
            integer(row, RowField.EVENT_VERSION),
            text(row, RowField.TOPIC),
            text(row, RowField.EVENT_KEY),
            bytes(row, RowField.PAYLOAD),
            contentType,
            text(row, RowField.HEADERS),
            time(row, RowField.OCCURRED_AT)),
        committedAt);
  }

  private @Nullable Object get(Struct row, RowField rowField) {
    Field field = fields.get(rowField);
    if (field == null) {
      return null;
    }
    // Struct.get(Field) is the faster one, but reads NULL as the column's default.
    return field.schema().defaultValue() == null
        ? row.get(field)
        : row.getWithoutDefault(field.name());
  }

  private @Nullable String text(Struct row, RowField field) {
    Object value = get(row, field);
    return value == null ? null : value.toString();
  }

  private @Nullable Long number(Struct row, RowField field) {
    return get(row, field) instanceof Number number ? number.longValue() : null;
  }

  private @Nullable Integer integer(Struct row, RowField field) {
    return get(row, field) instanceof Number number ? number.intValue() : null;
  }

  private byte @Nullable [] bytes(Struct row, RowField field) {
    Object value = get(row, field);
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return bytes;
    }
    if (value instanceof byte[] bytes) {
      return bytes;
    }
    return value == null ? null : value.toString().getBytes(StandardCharsets.UTF_8);
  }

  private @Nullable Instant time(Struct row, RowField field) {
    Object value = get(row, field);
    Field column = fields.get(field);
    if (value == null || column == null) {
      return null;
    }
    return switch (String.valueOf(column.schema().name())) {
      case "io.debezium.time.ZonedTimestamp" -> Times.ofZonedText((String) value);
      case "io.debezium.time.Timestamp" -> Times.ofLocalMillis((Long) value);
      case "io.debezium.time.MicroTimestamp" -> Times.ofLocalMicros((Long) value);
      default ->
          throw new IllegalStateException(
              "column "
                  + column.name()
                  + " of "
                  + table
                  + " holds no time: "
                  + column.schema().name());
    };
  }

  private static String contentType(@Nullable Field payload, Layout layout) {
    if (payload == null) {
      return ContentType.TEXT;
    }
    if (payload.schema().type() == Schema.Type.BYTES) {
      return ContentType.BINARY;
    }
    if ("io.debezium.data.Json".equals(payload.schema().name())) {
      return ContentType.JSON;
    }
    // Debezium names it where MySqlProperties asks for it.
    String mySqlType =
        payload.schema().parameters() == null
            ? null
            : payload.schema().parameters().get(SOURCE_TYPE);
    return mySqlType == null ? ContentType.TEXT : ContentType.ofMySql(mySqlType, layout);
  }
}
