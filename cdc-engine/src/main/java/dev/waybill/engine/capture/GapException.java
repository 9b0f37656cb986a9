package dev.waybill.engine.capture;

/**
 * The log no longer holds what comes after the stored progress: rows may be missing in Kafka, and
 * going on would hide it. The message names what was found and the remedy.
 */
public final class GapException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public GapException(String message) {
    super(message);
  }
}
