package dev.waybill.consumer.handle;

/**
 * What a {@link PayloadDecoder} throws when it cannot tell what a payload is, since something that
 * it needs is away, such as a schema registry. The event waits, and no attempt is counted.
 */
public final class DecoderUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public DecoderUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
