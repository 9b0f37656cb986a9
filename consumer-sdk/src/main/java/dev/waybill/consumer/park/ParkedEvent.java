package dev.waybill.consumer.park;

import dev.waybill.consumer.handle.ParkReason;
import dev.waybill.consumer.poll.PolledRecord;
import dev.waybill.event.Event;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event that is set aside.
 *
 * @param polled the record as it was read
 * @param event null if the record is none
 * @param sentence the reason for people
 * @param failure the last one; null if the event was parked without one
 * @param attempts how often the handler was called
 */
public record ParkedEvent(
    PolledRecord polled,
    @Nullable Event event,
    ParkReason reason,
    String sentence,
    @Nullable Throwable failure,
    int attempts,
    Instant firstFailedAt,
    Instant lastFailedAt) {}
