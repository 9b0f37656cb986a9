package dev.waybill.wire;

import dev.waybill.event.EventRules;

/**
 * The headers of a published event.
 *
 * @see <a
 *     href="https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md">the
 *     CloudEvents 1.0 Kafka binding, binary mode</a>
 */
public final class HeaderNames {

  public static final String SPEC_VERSION = "ce_specversion";

  /** The event id: unique for ever, made by the producer. */
  public static final String ID = "ce_id";

  /** Which engine published it. */
  public static final String SOURCE = "ce_source";

  /** The event type. */
  public static final String TYPE = "ce_type";

  /** The aggregate id. */
  public static final String SUBJECT = "ce_subject";

  /** When it happened, RFC 3339 in UTC with microseconds. */
  public static final String TIME = "ce_time";

  /** The media type of the value; the one attribute without the prefix. */
  public static final String CONTENT_TYPE = "content-type";

  public static final String AGGREGATE_TYPE = "ce_aggregatetype";

  /** Decimal digits. */
  public static final String AGGREGATE_VERSION = "ce_aggregateversion";

  /** Decimal digits. */
  public static final String EVENT_VERSION = "ce_eventversion";

  /** The event id, as Debezium's outbox router names it. */
  public static final String DEBEZIUM_ID = "id";

  /** The event type, as users of Debezium's outbox router name it by custom. */
  public static final String DEBEZIUM_EVENT_TYPE = "eventType";

  private HeaderNames() {}

  /** Whether only Waybill may write this header: a row that brings it cannot be published. */
  public static boolean isReserved(String name) {
    return EventRules.isReservedHeader(name);
  }
}
