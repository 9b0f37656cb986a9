package dev.waybill.engine.publish;

/** A row cannot be published and {@code source.on-unpublishable} is {@code stop}. */
public final class UnpublishableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UnpublishableException(String message) {
    super(message);
  }
}
