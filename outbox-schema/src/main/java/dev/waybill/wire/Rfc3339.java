package dev.waybill.wire;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Times as RFC 3339 has them. Written by hand: a formatter would take most of the time of encoding
 * an event.
 */
final class Rfc3339 {

  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");
  private static final int NANOS_PER_MICRO = 1000;

  private Rfc3339() {}

  /**
   * {@code 2026-11-30T12:34:56.123456Z} in ASCII.
   *
   * @return null outside the years 0 to 9999
   */
  static byte @Nullable [] write(Instant time) {
    if (time.isBefore(FIRST) || time.isAfter(LAST)) {
      return null;
    }
    return write(
        LocalDateTime.ofEpochSecond(time.getEpochSecond(), time.getNano(), ZoneOffset.UTC));
  }

  private static byte[] write(LocalDateTime utc) {
    byte[] text = {
      0, 0, 0, 0, '-', 0, 0, '-', 0, 0, 'T', 0, 0, ':', 0, 0, ':', 0, 0, '.', 0, 0, 0, 0, 0, 0, 'Z'
    };
    digits(text, 0, 4, utc.getYear());
    digits(text, 5, 2, utc.getMonthValue());
    digits(text, 8, 2, utc.getDayOfMonth());
    digits(text, 11, 2, utc.getHour());
    digits(text, 14, 2, utc.getMinute());
    digits(text, 17, 2, utc.getSecond());
    digits(text, 20, 6, utc.getNano() / NANOS_PER_MICRO);
    return text;
  }

  private static void digits(byte[] text, int from, int count, int number) {
    int rest = number;
    for (int i = from + count - 1; i >= from; i--) {
      text[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }

  /** Reads any offset; null if it is no such time (a leap second is none here). */
  static @Nullable Instant read(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }
}
