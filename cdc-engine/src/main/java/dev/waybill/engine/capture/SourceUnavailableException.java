package dev.waybill.engine.capture;

import org.jspecify.annotations.Nullable;

/** The source cannot be reached or read now; waiting and trying again is the remedy. */
public final class SourceUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public SourceUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
