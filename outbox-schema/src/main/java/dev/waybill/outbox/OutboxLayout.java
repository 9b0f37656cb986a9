package dev.waybill.outbox;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which table is the outbox, and what its columns are called. Immutable. Names are exact: in
 * PostgreSQL, {@code Outbox} is not the table that {@code CREATE TABLE Outbox} makes, which is
 * {@code outbox}.
 *
 * @param table with or without its schema, as {@code schema.table}
 * @param columns a column that is not there is one that the table does not have
 */
public record OutboxLayout(String table, Map<OutboxColumn, String> columns) {

  /** The table of {@code outbox.sql}. */
  public static final OutboxLayout WAYBILL = new OutboxLayout("outbox_event", everyColumn());

  /** The table that users of Debezium's outbox router have. */
  public static final OutboxLayout DEBEZIUM =
      new OutboxLayout(
          "outboxevent",
          Map.of(
              OutboxColumn.ID, "id",
              OutboxColumn.EVENT_ID, "id",
              OutboxColumn.AGGREGATE_TYPE, "aggregatetype",
              OutboxColumn.AGGREGATE_ID, "aggregateid",
              OutboxColumn.EVENT_TYPE, "type",
              OutboxColumn.PAYLOAD, "payload"));

  public OutboxLayout {
    Objects.requireNonNull(table, "table");
    columns = copyOf(columns);
  }

  public OutboxLayout withTable(String name) {
    return new OutboxLayout(name, columns);
  }

  public OutboxLayout withColumn(OutboxColumn column, String name) {
    Map<OutboxColumn, String> changed = new EnumMap<>(columns);
    changed.put(column, name);
    return new OutboxLayout(table, changed);
  }

  public OutboxLayout without(OutboxColumn column) {
    Map<OutboxColumn, String> changed = new EnumMap<>(columns);
    changed.remove(column);
    return new OutboxLayout(table, changed);
  }

  /** The column's name in this table; null if the table does not have it. */
  public @Nullable String name(OutboxColumn column) {
    return columns.get(column);
  }

  private static Map<OutboxColumn, String> everyColumn() {
    Map<OutboxColumn, String> columns = new EnumMap<>(OutboxColumn.class);
    for (OutboxColumn column : OutboxColumn.values()) {
      columns.put(column, column.defaultName());
    }
    return columns;
  }

  /** In the order of the enum, whatever the order they came in. */
  private static Map<OutboxColumn, String> copyOf(Map<OutboxColumn, String> columns) {
    Map<OutboxColumn, String> copy = new EnumMap<>(OutboxColumn.class);
    copy.putAll(columns);
    return Collections.unmodifiableMap(copy);
  }
}
