package dev.waybill.consumer;

import dev.waybill.consumer.park.ParkedEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong so far with the event at the head of a partition: counted for this offset alone,
 * so that failures of other events and partitions do not count. Used by whoever runs the lane.
 */
final class Attempts {

  private int failures;
  private int outages;
  private @Nullable Instant firstFailedAt;
  private @Nullable ParkedEvent toPark;

  /** An attempt failed by the event's own fault. */
  void failed(Instant now) {
    failures++;
    if (firstFailedAt == null) {
      firstFailedAt = now;
    }
  }

  /** Something was away. */
  int away() {
    return ++outages;
  }

  boolean wasAway() {
    return outages > 0;
  }

  /** The number of the attempt that is made now; parking is part of the last one. */
  int current() {
    return toPark == null ? failures + 1 : Math.max(1, failures);
  }

  int failures() {
    return failures;
  }

  Instant firstFailedAt(Instant otherwise) {
    return firstFailedAt == null ? otherwise : firstFailedAt;
  }

  /** From now on there is nothing left to try but parking. */
  void park(ParkedEvent parked) {
    toPark = parked;
  }

  @Nullable ParkedEvent toPark() {
    return toPark;
  }
}
