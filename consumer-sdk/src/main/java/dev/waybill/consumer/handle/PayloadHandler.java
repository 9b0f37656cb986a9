package dev.waybill.consumer.handle;

import dev.waybill.consumer.guard.EventTransaction;
import dev.waybill.event.Event;

/**
 * An {@link EventHandler} that gets the payload decoded.
 *
 * @param <T> what the payload is decoded to
 */
@FunctionalInterface
public interface PayloadHandler<T> {

  /** As {@link EventHandler#handle}. */
  void handle(T payload, Event event, EventTransaction tx) throws Exception;
}
