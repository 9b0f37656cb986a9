package dev.waybill.engine.publish;

/**
 * The newest progress record is not one that this version understands. Nothing was started; waiting
 * does not help.
 */
public final class ProgressUnreadableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public ProgressUnreadableException(String message) {
    super(message);
  }
}
