package dev.waybill.consumer.handle;

import java.util.Optional;

/** Finds a decoder on the class path. */
public final class Decoders {

  private static final String JACKSON_2 = "com.fasterxml.jackson.databind.ObjectMapper";

  private Decoders() {}

  /** JSON by Jackson 2, if it is on the class path of this library. */
  public static Optional<PayloadDecoder> present() {
    try {
      Class.forName(JACKSON_2, false, Decoders.class.getClassLoader());
      return Optional.of(new Jackson2Decoder());
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
  }
}
