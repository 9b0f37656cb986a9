package dev.waybill.consumer;

import java.util.Set;

/** What a consumer is doing. Changes only along {@link #next()}. */
public enum ConsumerState {
  /** Built; nothing is connected. */
  CREATED,
  /** A member of the group, or about to be. */
  RUNNING,
  /**
   * As running, but something is away and what needs it waits: the database, a park topic, what the
   * decoder needs, or the broker when the Kafka consumer is made. A broker that goes away from a
   * member is not seen here: polls bring nothing until it is back.
   */
  WAITING,
  /**
   * The broker is there and does not have this consumer in the group: a setting is outside of the
   * broker's limits, a right is missing, the group is full. What it said is in the log. Nothing is
   * read; the broker is asked again and again, with back-off, in case that it is set otherwise.
   */
  REFUSED,
  /** Running work ends, offsets are committed, nothing new begins. */
  CLOSING,
  /** Over; nothing is connected. */
  CLOSED,
  /** Over because of a defect in this library or the JVM; offsets were left where they were. */
  FAILED;

  /** What may follow. */
  Set<ConsumerState> next() {
    return switch (this) {
      case CREATED -> Set.of(RUNNING, CLOSED);
      case RUNNING -> Set.of(WAITING, REFUSED, CLOSING, FAILED);
      case WAITING -> Set.of(RUNNING, REFUSED, CLOSING, FAILED);
      case REFUSED -> Set.of(RUNNING, WAITING, CLOSING, FAILED);
      case CLOSING -> Set.of(CLOSED, FAILED);
      case CLOSED, FAILED -> Set.of();
    };
  }
}
