package dev.waybill.wire;

import dev.waybill.event.Event;

/**
 * Makes a record of an event. Safe for many threads. Deterministic: one event, topic, key and
 * timestamp always give the same bytes in the same order.
 */
public interface EventEncoder {

  /**
   * The record for {@code event}. Nothing is checked: topic, header names and lengths are the
   * caller's, and so is the difference between a null and an empty payload.
   *
   * @param timestamp milliseconds since 1970 UTC
   */
  WireRecord encode(String topic, String key, Event event, long timestamp);

  /**
   * CloudEvents 1.0 in the binary mode of its Kafka binding. Attributes the event lacks are left
   * out, and so is the time outside the years 0 to 9999, which RFC 3339 cannot write. The
   * producer's own headers come last, in the producer's order.
   *
   * @param source a URI reference that names the publisher, such as {@code /waybill/shop}
   */
  static EventEncoder cloudEvents(String source) {
    return new CloudEventsEncoder(source);
  }

  /**
   * The headers of Debezium's outbox router: {@code id}, {@code eventType} if the event has a type,
   * and the producer's own. Versions, aggregate type and time are not on the wire then.
   */
  static EventEncoder debezium() {
    return new DebeziumEncoder();
  }
}
