package dev.waybill.engine.route;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.engine.capture.Change;
import dev.waybill.engine.capture.OutboxRow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A publishable row, of which a test changes what it is about. Immutable. */
public record Rows(
    @Nullable String id,
    @Nullable String eventId,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable String topic,
    @Nullable String key,
    @Nullable String payload,
    @Nullable String headers,
    @Nullable Instant occurredAt) {

  public static final Instant OCCURRED = Instant.parse("2026-03-29T01:30:00.123456Z");
  public static final Instant COMMITTED = Instant.parse("2026-03-29T01:30:01.987654Z");

  public static Rows row(String eventId) {
    return new Rows("1", eventId, "order", "A", null, null, "{\"a\":1}", null, OCCURRED);
  }

  public Rows withRowId(@Nullable String id) {
    return new Rows(
        id, eventId, aggregateType, aggregateId, topic, key, payload, headers, occurredAt);
  }

  public Rows withEventId(@Nullable String eventId) {
    return new Rows(
        id, eventId, aggregateType, aggregateId, topic, key, payload, headers, occurredAt);
  }

  public Rows withAggregateType(@Nullable String aggregateType) {
    return new Rows(
        id, eventId, aggregateType, aggregateId, topic, key, payload, headers, occurredAt);
  }

  public Rows withAggregateId(@Nullable String aggregateId) {
    return new Rows(
        id, eventId, aggregateType, aggregateId, topic, key, payload, headers, occurredAt);
  }

  public Rows withTopic(@Nullable String topic) {
    return new Rows(
        id, eventId, aggregateType, aggregateId, topic, key, payload, headers, occurredAt);
  }

  public Rows withKey(@Nullable String key) {
    return new Rows(
        id, eventId, aggregateType, aggregateId, topic, key, payload, headers, occurredAt);
  }

  public Rows withPayload(@Nullable String payload) {
    return new Rows(
        id, eventId, aggregateType, aggregateId, topic, key, payload, headers, occurredAt);
  }

  public Rows withHeaders(@Nullable String headers) {
    return new Rows(
        id, eventId, aggregateType, aggregateId, topic, key, payload, headers, occurredAt);
  }

  public Rows withOccurredAt(@Nullable Instant occurredAt) {
    return new Rows(
        id, eventId, aggregateType, aggregateId, topic, key, payload, headers, occurredAt);
  }

  public Change change() {
    return changeOfType("OrderPaid");
  }

  public Change changeOfType(@Nullable String eventType) {
    return new Change(
        "public.outbox_event",
        new OutboxRow(
            id,
            eventId,
            aggregateType,
            aggregateId,
            7L,
            eventType,
            2,
            topic,
            key,
            payload == null ? null : payload.getBytes(UTF_8),
            "application/json",
            headers,
            occurredAt),
        COMMITTED);
  }
}
