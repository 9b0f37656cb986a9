package dev.waybill.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.event.OutboxEvent;
import dev.waybill.event.Payload;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The INSERT of one layout in one dialect: its text, and an event as its parameters. */
final class InsertStatement {

  private final Dialect dialect;
  private final OutboxLayout layout;
  private final PayloadColumn payloadColumn;
  private final List<OutboxColumn> columns;
  private final String insertInto;
  private final String row;

  InsertStatement(Dialect dialect, OutboxLayout layout, PayloadColumn payloadColumn) {
    this.dialect = dialect;
    this.layout = layout;
    this.payloadColumn = payloadColumn;
    this.columns = layout.columns().keySet().stream().filter(c -> c != OutboxColumn.ID).toList();
    this.insertInto =
        layout.columns().entrySet().stream()
            .filter(column -> column.getKey() != OutboxColumn.ID)
            .map(column -> dialect.quoted(column.getValue()))
            .collect(
                Collectors.joining(
                    ", ",
                    dialect.insertInto() + dialect.quotedTable(layout.table()) + " (",
                    ") VALUES "));
    this.row = "(" + String.join(", ", Collections.nCopies(columns.size(), "?")) + ")";
  }

  /** One statement for several rows. */
  String sql(int rows) {
    return insertInto + String.join(", ", Collections.nCopies(rows, row));
  }

  String table() {
    return layout.table();
  }

  /**
   * Refuses what would be left out, or changed, silently.
   *
   * @throws IllegalArgumentException naming the event and the column
   */
  void requireRoomFor(OutboxEvent event) {
    String refusal = dialect.refusal(event);
    if (refusal != null) {
      throw noRoom(event, refusal);
    }
    if (event.payload() instanceof Payload.Binary && payloadColumn == PayloadColumn.TEXT) {
      throw noRoom(event, "has a binary payload, and the payload column takes text");
    }
    requireColumn(event, OutboxColumn.PAYLOAD, event.payload() != null);
    requireColumn(event, OutboxColumn.AGGREGATE_VERSION, event.aggregateVersion() != null);
    requireColumn(event, OutboxColumn.EVENT_VERSION, event.eventVersion() != 1);
    requireColumn(event, OutboxColumn.TOPIC, event.topic() != null);
    requireColumn(event, OutboxColumn.EVENT_KEY, event.key() != null);
    requireColumn(event, OutboxColumn.HEADERS, !event.headers().isEmpty());
  }

  private void requireColumn(OutboxEvent event, OutboxColumn column, boolean needed) {
    if (needed && !columns.contains(column)) {
      throw noRoom(event, "has a " + column.defaultName() + ", and there is no column for it");
    }
  }

  private IllegalArgumentException noRoom(OutboxEvent event, String why) {
    return new IllegalArgumentException(
        "Event %s %s in %s; nothing was written".formatted(event.describe(), why, layout.table()));
  }

  /** What the database said, with the events that it was about. */
  SQLException failure(List<OutboxEvent> events, SQLException failure) {
    return AppendFailure.of(layout.table(), dialect.afterFailure(), events, failure);
  }

  /** One event after the other, as many as the statement has rows. */
  void bind(PreparedStatement statement, List<OutboxEvent> events) throws SQLException {
    int index = 1;
    for (OutboxEvent event : events) {
      for (OutboxColumn column : columns) {
        bind(statement, index++, column, event);
      }
    }
  }

  private void bind(PreparedStatement to, int index, OutboxColumn column, OutboxEvent event)
      throws SQLException {
    switch (column) {
      case ID -> throw new IllegalStateException("The database makes the id");
      case EVENT_ID -> dialect.setUntyped(to, index, event.eventId());
      case AGGREGATE_TYPE -> dialect.setText(to, index, event.aggregateType());
      case AGGREGATE_ID -> dialect.setText(to, index, event.aggregateId());
      case AGGREGATE_VERSION -> to.setObject(index, event.aggregateVersion(), Types.BIGINT);
      case EVENT_TYPE -> dialect.setText(to, index, event.eventType());
      case EVENT_VERSION -> to.setInt(index, event.eventVersion());
      case TOPIC -> dialect.setText(to, index, event.topic());
      case EVENT_KEY -> dialect.setText(to, index, event.key());
      case PAYLOAD -> bindPayload(to, index, event.payload());
      case HEADERS -> dialect.setUntyped(to, index, headers(event));
      case OCCURRED_AT -> dialect.setTime(to, index, event.occurredAt());
    }
  }

  private void bindPayload(PreparedStatement to, int index, @Nullable Payload payload)
      throws SQLException {
    if (payloadColumn == PayloadColumn.BINARY) {
      to.setBytes(index, payload == null ? null : bytes(payload));
    } else {
      dialect.setUntyped(to, index, payload == null ? null : text(payload));
    }
  }

  private static byte[] bytes(Payload payload) {
    return payload.match(json -> json.text().getBytes(UTF_8), Payload.Binary::bytes);
  }

  private static String text(Payload payload) {
    return payload.match(
        Payload.Json::text,
        binary -> {
          throw new IllegalStateException("Binary payloads are refused before");
        });
  }

  private static @Nullable String headers(OutboxEvent event) {
    return event.headers().isEmpty() ? null : HeadersJson.write(event.headers());
  }
}
