package dev.waybill.consumer.handle;

/**
 * Turns the bytes of a payload into an object. Safe for many threads.
 *
 * <p>The shape is that of {@code readValue} of every Jackson version: {@code
 * builder.decoder(jsonMapper::readValue)}.
 */
@FunctionalInterface
public interface PayloadDecoder {

  /**
   * Decodes a payload. What this throws parks the event at once, since the same bytes would fail
   * again.
   *
   * @throws DecoderUnavailableException to be asked again later: what decoding needs is away
   */
  <T> T decode(byte[] payload, Class<T> type) throws Exception;
}
