package dev.waybill.consumer.poll;

/** The Kafka consumer cannot go on; a new {@link Poller} may. */
public final class PollFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  PollFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
