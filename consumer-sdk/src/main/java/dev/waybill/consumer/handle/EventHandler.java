package dev.waybill.consumer.handle;

import dev.waybill.consumer.guard.EventTransaction;
import dev.waybill.event.Event;

/**
 * What a service does with an event.
 *
 * <p>Called on a worker thread of the consumer, for one event of a partition at a time and for
 * several partitions at once: it must be safe for that. Called again when an attempt failed, with
 * nothing left of the former attempt in the transaction.
 */
@FunctionalInterface
public interface EventHandler {

  /**
   * Lets the event take effect, through {@code tx}. Returning commits; throwing rolls back, and the
   * retry policy decides when to try again.
   */
  void handle(Event event, EventTransaction tx) throws Exception;
}
