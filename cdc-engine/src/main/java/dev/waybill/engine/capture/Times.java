package dev.waybill.engine.capture;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Times as databases and drivers write them. Everything without a zone is UTC. */
final class Times {

  private Times() {}

  static Instant ofEpochMicros(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
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
