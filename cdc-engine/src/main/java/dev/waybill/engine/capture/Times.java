package dev.waybill.engine.capture;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/** Times as databases and drivers write them. Everything without a zone is UTC. */
final class Times {

  private static final long MICROS_PER_MILLI = 1_000;

  private Times() {}

  static Instant ofEpochMicros(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** A timestamptz in Debezium's records, where infinity is a word. */
  static @Nullable Instant ofZonedText(String time) {
    return time.endsWith("infinity") ? null : OffsetDateTime.parse(time).toInstant();
  }

  /**
   * A timestamp in Debezium's records, where infinity is the number that pgjdbc has for it, taken
   * for microseconds.
   */
  static @Nullable Instant ofLocalMicros(long micros) {
    return micros == PGStatement.DATE_POSITIVE_INFINITY
            || micros == PGStatement.DATE_NEGATIVE_INFINITY
        ? null
        : ofEpochMicros(micros);
  }

  /** As {@link #ofLocalMicros}, cut off to milliseconds. */
  static @Nullable Instant ofLocalMillis(long millis) {
    return millis == PGStatement.DATE_POSITIVE_INFINITY / MICROS_PER_MILLI
            || millis == PGStatement.DATE_NEGATIVE_INFINITY / MICROS_PER_MILLI
        ? null
        : Instant.ofEpochMilli(millis);
  }

  /** What pgjdbc returns; it writes infinity as the type's first and last values. */
  static @Nullable Instant of(OffsetDateTime time) {
    return time.equals(OffsetDateTime.MAX) || time.equals(OffsetDateTime.MIN)
        ? null
        : time.toInstant();
  }

  /** As {@link #of(OffsetDateTime)}. */
  static @Nullable Instant of(LocalDateTime time) {
    return time.equals(LocalDateTime.MAX) || time.equals(LocalDateTime.MIN)
        ? null
        : time.toInstant(ZoneOffset.UTC);
  }
}
