package dev.waybill.wire;

/** A record that is no event: it has no id, or a number that is none. Trying again cannot help. */
public final class UndecodableRecordException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UndecodableRecordException(String message) {
    super(message);
  }
}
