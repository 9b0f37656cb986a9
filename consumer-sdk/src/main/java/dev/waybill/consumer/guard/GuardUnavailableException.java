package dev.waybill.consumer.guard;

/**
 * No connection could be had, or the guard's own statements failed. Never the event's fault: its
 * identity was checked before, and the handler was not called.
 */
public final class GuardUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  GuardUnavailableException(String message, Exception cause) {
    super(message, cause);
  }
}
