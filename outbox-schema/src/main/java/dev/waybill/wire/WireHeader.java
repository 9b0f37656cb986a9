package dev.waybill.wire;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One header of a record. The value array is shared, not copied.
 *
 * @param name never null, may occur more than once in a record
 * @param value UTF-8 text in everything that Waybill writes; null where a foreign producer wrote
 *     none
 */
public record WireHeader(String name, byte @Nullable [] value) {

  // Written out: of a compact constructor javac drops the annotation of `byte @Nullable []`.
  public WireHeader(String name, byte @Nullable [] value) {
    this.name = Objects.requireNonNull(name, "name");
    this.value = value;
  }

  public static WireHeader of(String name, String value) {
    return new WireHeader(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
