package dev.waybill.consumer.guard;

/**
 * The transaction of an event could not be had or kept: there was no connection, the guard's own
 * statements failed, or the database went away under the handler. Never the event's fault.
 */
public final class TransactionUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  TransactionUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
