package dev.waybill.event;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the application announced, as everybody downstream of the outbox sees it. Only the id is
 * certain: events published in other layouts may lack the rest.
 *
 * <p>Immutable, but for the payload array, which is shared and not copied: treat it as read-only.
 *
 * @param id made once by the producer, at most 64 characters, unique for ever
 * @param type what happened, such as {@code OrderPaid}
 * @param version the version of the payload's schema, from 1
 * @param aggregateType the type of what it happened to, such as {@code Order}
 * @param aggregateId the identity of what it happened to
 * @param aggregateVersion 1, 2, 3 … per aggregate; null where the producer keeps none
 * @param occurredAt when it happened, to the microsecond; null if unknown
 * @param contentType the media type of the payload; null if unknown
 * @param payload the bytes the producer inserted; null is a tombstone
 * @param headers the producer's own headers, such as {@code traceparent}, in the producer's order
 */
public record Event(
    String id,
    @Nullable String type,
    int version,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable Long aggregateVersion,
    @Nullable Instant occurredAt,
    @Nullable String contentType,
    byte @Nullable [] payload,
    Map<String, String> headers) {

  // Written out: of a compact constructor javac drops the annotation of `byte @Nullable []`.
  public Event(
      String id,
      @Nullable String type,
      int version,
      @Nullable String aggregateType,
      @Nullable String aggregateId,
      @Nullable Long aggregateVersion,
      @Nullable Instant occurredAt,
      @Nullable String contentType,
      byte @Nullable [] payload,
      Map<String, String> headers) {
    this.id = Objects.requireNonNull(id, "id");
    this.type = type;
    this.version = version;
    this.aggregateType = aggregateType;
    this.aggregateId = aggregateId;
    this.aggregateVersion = aggregateVersion;
    this.occurredAt = occurredAt;
    this.contentType = contentType;
    this.payload = payload;
    // Map.copyOf would order them differently in every JVM; a repeated event is the same bytes.
    this.headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }
}
