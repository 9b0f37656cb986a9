package dev.waybill.consumer;

import dev.waybill.consumer.handle.Outcome;
import dev.waybill.consumer.poll.Partition;
import java.time.Duration;
import java.util.Set;

/**
 * Learns how events fared. Called on the thread that did the work, several at once for different
 * partitions, so it must be quick and safe for that. What it throws is logged and changes nothing.
 *
 * <p>An outcome is told once per attempt, and again when the event comes again. A crash can come
 * between any promise below and the call: these calls are for metrics and logs, not for effects.
 */
public interface ConsumerListener {

  /** After the database transaction was committed, before the offset is. */
  default void handled(Delivery delivery, Outcome.Handled outcome) {}

  /** As {@link #handled}, for an event that skipped versions. */
  default void gap(Delivery delivery, Outcome.Gap outcome) {}

  /**
   * After the transaction was rolled back, before the offset is committed; no handler was called.
   */
  default void duplicate(Delivery delivery, Outcome.Duplicate outcome) {}

  /** As {@link #duplicate}. */
  default void stale(Delivery delivery, Outcome.Stale outcome) {}

  /** Before the offset is committed; nothing but the aggregate's version was written. */
  default void ignored(Delivery delivery, Outcome.Ignored outcome) {}

  /** After the transaction was rolled back, before the wait. The offset stays. */
  default void retryLater(Delivery delivery, Outcome.RetryLater outcome) {}

  /** After the broker acknowledged the parked event, before the offset is committed. */
  default void parked(Delivery delivery, Outcome.Parked outcome) {}

  /**
   * A handler has run for longer than {@code stuckAfter}, and each time that has doubled. It is
   * left alone. On the thread that polls.
   */
  default void stuck(Delivery delivery, Duration running) {}

  /** These partitions are ours from now on. On the thread that polls, before it reads them. */
  default void assigned(Set<Partition> partitions) {}

  /**
   * These partitions are being given up, or lost already. On the thread that polls, before what
   * runs is waited for.
   */
  default void givenUp(Set<Partition> partitions) {}

  /** The consumer has changed its state already. On the thread that changed it. */
  default void stateChanged(ConsumerState from, ConsumerState to) {}
}
