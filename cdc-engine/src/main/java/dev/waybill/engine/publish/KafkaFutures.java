package dev.waybill.engine.publish;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;

/** Waiting for Kafka's clients, with their failures as what they are. */
final class KafkaFutures {

  private KafkaFutures() {}

  /**
   * Waits as long as the admin client's own time-out.
   *
   * @throws KafkaException the failure itself, not wrapped
   */
  static <T> T get(KafkaFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException failure ? failure : new KafkaException(e);
    }
  }

  /** Kafka throws its own, unchecked, and leaves the thread's flag set. */
  static InterruptedException checked(InterruptException e) {
    Thread.interrupted();
    InterruptedException checked = new InterruptedException(e.getMessage());
    checked.initCause(e);
    return checked;
  }

  /** The innermost message: Kafka wraps what went wrong in "Failed to construct kafka producer". */
  static String reason(Throwable failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return String.valueOf(innermost.getMessage());
  }
}
