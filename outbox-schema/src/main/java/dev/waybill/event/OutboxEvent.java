package dev.waybill.event;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the application announces: an event on its way into the outbox. Immutable, and valid: an
 * event that the database would refuse or cut, or that could not be published, is an {@link
 * InvalidEventException} that lists everything wrong with it.
 *
 * @param eventId unique for ever; a UUIDv7 unless the application makes its own
 * @param aggregateType the type of what it happened to, such as {@code order}; normally names the
 *     topic, and then consists of characters that a topic may have
 * @param aggregateId the identity of what it happened to; events of one stay in order
 * @param aggregateVersion 1, 2, 3 … per aggregate; null where the application keeps none
 * @param eventType what happened, such as {@code OrderPaid}
 * @param eventVersion the version of the payload's schema, from 1
 * @param topic instead of the one that follows from the aggregate type; normally null
 * @param key instead of the aggregate id; normally null
 * @param payload null is a tombstone
 * @param headers become headers of the record, such as {@code traceparent}
 * @param occurredAt when it happened, in microseconds
 */
public record OutboxEvent(
    String eventId,
    String aggregateType,
    String aggregateId,
    @Nullable Long aggregateVersion,
    String eventType,
    int eventVersion,
    @Nullable String topic,
    @Nullable String key,
    @Nullable Payload payload,
    Map<String, String> headers,
    Instant occurredAt) {

  public OutboxEvent {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    // The databases round what they cannot hold, and a rounded time may lie in the future.
    occurredAt = occurredAt.truncatedTo(ChronoUnit.MICROS);
    EventProblems problems = new EventProblems();
    problems.text("event_id", eventId, EventRules.MAX_EVENT_ID);
    problems.text("aggregate_type", aggregateType, EventRules.MAX_AGGREGATE_TYPE);
    problems.text("aggregate_id", aggregateId, EventRules.MAX_AGGREGATE_ID);
    problems.version("aggregate_version", aggregateVersion);
    problems.text("event_type", eventType, EventRules.MAX_EVENT_TYPE);
    problems.version("event_version", (long) eventVersion);
    problems.topic(topic, aggregateType);
    problems.textIfThere("event_key", key, EventRules.MAX_KEY);
    problems.payload(payload);
    problems.headers(headers);
    problems.time("occurred_at", occurredAt);
    problems.throwIfAny(describe(eventId, aggregateType, aggregateId, eventType));
  }

  /**
   * An event of the given kind, with a new id, happening now.
   *
   * @param aggregateType such as {@code order}
   * @param aggregateId such as {@code 4711}
   * @param eventType such as {@code OrderPaid}
   */
  public static Builder builder(String aggregateType, String aggregateId, String eventType) {
    return new Builder(aggregateType, aggregateId, eventType);
  }

  /** For messages: which event this is. */
  public String describe() {
    return describe(eventId, aggregateType, aggregateId, eventType);
  }

  private static String describe(String id, String aggregateType, String aggregateId, String type) {
    return "%s (%s of %s %s)"
        .formatted(
            EventRules.shortened(id),
            EventRules.shortened(type),
            EventRules.shortened(aggregateType),
            EventRules.shortened(aggregateId));
  }

  /** Confined to one thread; calls commute, and each {@link #build} makes an event of its own. */
  public static final class Builder {

    private final String aggregateType;
    private final String aggregateId;
    private final String eventType;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private int eventVersion = 1;
    private @Nullable String eventId;
    private @Nullable Long aggregateVersion;
    private @Nullable String topic;
    private @Nullable String key;
    private @Nullable Payload payload;
    private @Nullable Instant occurredAt;

    private Builder(String aggregateType, String aggregateId, String eventType) {
      this.aggregateType = aggregateType;
      this.aggregateId = aggregateId;
      this.eventType = eventType;
    }

    /** Instead of a new UUIDv7. The same announcement must have the same id, however often made. */
    public Builder eventId(String id) {
      this.eventId = id;
      return this;
    }

    /** The version of the aggregate that this event led to: 1, 2, 3 … without a gap. */
    public Builder aggregateVersion(long version) {
      this.aggregateVersion = version;
      return this;
    }

    /** The version of the payload's schema; 1 unless told otherwise. */
    public Builder eventVersion(int version) {
      this.eventVersion = version;
      return this;
    }

    /** Instead of the topic that follows from the aggregate type. */
    public Builder topic(String name) {
      this.topic = name;
      return this;
    }

    /** Instead of the aggregate id. Only events with one topic and key stay in order. */
    public Builder key(String text) {
      this.key = text;
      return this;
    }

    /** The payload as JSON; without a payload the event is a tombstone. */
    public Builder json(String text) {
      return payload(new Payload.Json(text));
    }

    /** The payload as bytes, for a table with a binary payload. The array is not copied. */
    public Builder binary(byte[] bytes) {
      return payload(new Payload.Binary(bytes));
    }

    public Builder payload(@Nullable Payload what) {
      this.payload = what;
      return this;
    }

    public Builder header(String name, String value) {
      headers.put(name, value);
      return this;
    }

    public Builder headers(Map<String, String> more) {
      headers.putAll(more);
      return this;
    }

    /** Instead of now. Cut to microseconds. */
    public Builder occurredAt(Instant time) {
      this.occurredAt = time;
      return this;
    }

    /**
     * The event, checked.
     *
     * @throws InvalidEventException with everything that is wrong with the event
     */
    public OutboxEvent build() {
      return new OutboxEvent(
          eventId == null ? UuidV7.system().next().toString() : eventId,
          aggregateType,
          aggregateId,
          aggregateVersion,
          eventType,
          eventVersion,
          topic,
          key,
          payload,
          headers,
          occurredAt == null ? Instant.now() : occurredAt);
    }
  }
}
