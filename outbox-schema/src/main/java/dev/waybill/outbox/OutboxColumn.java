package dev.waybill.outbox;

import java.util.Locale;

/** What an outbox table can hold of an event. Everything that names a column asks here. */
public enum OutboxColumn {
  /** The primary key: the order of insertion. */
  ID,
  EVENT_ID,
  AGGREGATE_TYPE,
  AGGREGATE_ID,
  AGGREGATE_VERSION,
  EVENT_TYPE,
  EVENT_VERSION,
  TOPIC,
  EVENT_KEY,
  PAYLOAD,
  HEADERS,
  OCCURRED_AT;

  /** Its name in Waybill's own table, such as {@code aggregate_id}. */
  public String defaultName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
