package dev.waybill.engine.publish;

import dev.waybill.engine.capture.Change;

/**
 * Sees what a publisher does. Called on the thread that publishes, so what it does delays events;
 * what it throws fails the batch.
 */
public interface PublishObserver {

  /**
   * Every record of a batch was handed to the Kafka client. Some may be in Kafka already, none is
   * known to be. Told again of those that are sent again because the broker refused one of them.
   */
  default void sent(int records) {}

  /** An event of a batch is in Kafka, in commit order; all of the batch are. */
  default void published(Change change) {}

  /** An event is in the parked topic. */
  default void parked(Change change, String reason) {}
}
