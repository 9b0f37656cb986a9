package dev.waybill.engine.publish;

import org.jspecify.annotations.Nullable;

/**
 * The broker cannot take what it is given now: it is away, a topic is missing or forbidden. Nothing
 * is lost; waiting and trying again is the remedy, and the message says what an operator may do.
 */
public final class BrokerUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public BrokerUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
