package dev.waybill.consumer.handle;

import org.jspecify.annotations.Nullable;

/** A payload that the typed handler of its event cannot be given. Trying again cannot help. */
public final class UndecodablePayloadException extends Exception {

  private static final long serialVersionUID = 1L;

  UndecodablePayloadException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
