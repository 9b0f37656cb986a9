package dev.waybill.outbox;

import dev.waybill.event.OutboxEvent;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What MySQL does not take, though it is an event. */
final class MySqlLimits {

  /** What DATETIME holds. */
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");

  private static final Instant AFTER_LAST = Instant.parse("+10000-01-01T00:00:00Z");

  private static final DateTimeFormatter DATETIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private MySqlLimits() {}

  static String datetime(Instant time) {
    return DATETIME.format(time);
  }

  /** The end of a sentence that begins with the event; null if MySQL takes it. */
  static @Nullable String refusal(OutboxEvent event) {
    Instant time = event.occurredAt();
    if (time.isBefore(FIRST) || !time.isBefore(AFTER_LAST)) {
      return "has occurred_at " + time + ", and DATETIME holds the years 0 to 9999";
    }
    return event.payload() == null
        ? null
        : event.payload().match(json -> JsonLimits.problem(json.text()), binary -> null);
  }
}
