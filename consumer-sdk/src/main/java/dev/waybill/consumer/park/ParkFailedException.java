package dev.waybill.consumer.park;

import org.jspecify.annotations.Nullable;

/** The park topic did not take an event. Nothing is lost: its offset stays where it is. */
public final class ParkFailedException extends Exception {

  private static final long serialVersionUID = 1L;

  ParkFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
