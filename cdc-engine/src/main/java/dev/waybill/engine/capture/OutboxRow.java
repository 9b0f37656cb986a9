package dev.waybill.engine.capture;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The columns of an outbox row as the application inserted them; a column that the table's layout
 * does not have is null. Nothing is validated here: routing decides what is publishable.
 *
 * @param id the primary key as text, to find the row again
 * @param payload the bytes that were inserted, shared and not copied; null for SQL NULL
 * @param contentType follows from the type of the payload column
 * @param headers the JSON text of the headers column
 * @param occurredAt null for SQL NULL, infinity and what an {@link Instant} cannot hold
 */
public record OutboxRow(
    @Nullable String id,
    @Nullable String eventId,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable Long aggregateVersion,
    @Nullable String eventType,
    @Nullable Integer eventVersion,
    @Nullable String topic,
    @Nullable String key,
    byte @Nullable [] payload,
    String contentType,
    @Nullable String headers,
    @Nullable Instant occurredAt) {}
