package dev.waybill.consumer.poll;

import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RetriableException;

/** The Kafka consumer cannot go on; a new {@link Poller} may. */
public final class PollFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  PollFailedException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Whether the broker has answered, with a no that it will say again: the session time-out is
   * outside of its limits, the group is full, a right is missing.
   */
  public boolean isRefusal() {
    for (Throwable cause = getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof ApiException) {
        return !(cause instanceof RetriableException);
      }
    }
    return false;
  }
}
