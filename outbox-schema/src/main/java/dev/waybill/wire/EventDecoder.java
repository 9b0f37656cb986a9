package dev.waybill.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.event.Event;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads records with CloudEvents headers and those of Debezium's outbox router. */
public final class EventDecoder {

  private final WireRecord record;

  /** What is left of the headers: reading takes away, and the rest is the producer's own. */
  private final Map<String, String> headers;

  private EventDecoder(WireRecord record) {
    this.record = record;
    this.headers = text(record);
  }

  /**
   * The event in a record. A header that is missing gives null (the version of the payload's schema
   * gives 1). Of several headers with one name the last counts, as in Kafka; headers without a
   * value count as missing.
   *
   * <p>A record with {@code ce_id} is a CloudEvent, else one with {@code id} comes from the router:
   * its key is then the aggregate id, which is what the router writes unless told otherwise.
   *
   * @throws UndecodableRecordException if there is neither id, or a version is not a number. A time
   *     that cannot be read is only missing, since nothing is decided by it.
   */
  public static Event decode(WireRecord record) {
    return new EventDecoder(record).decode();
  }

  private Event decode() {
    String id = headers.remove(HeaderNames.ID);
    if (id != null && !id.isEmpty()) {
      return cloudEvent(id);
    }
    id = headers.remove(HeaderNames.DEBEZIUM_ID);
    if (id != null && !id.isEmpty()) {
      return routedByDebezium(id);
    }
    throw new UndecodableRecordException(
        "A record of topic %s has no event id: neither a %s nor an %s header"
            .formatted(record.topic(), HeaderNames.ID, HeaderNames.DEBEZIUM_ID));
  }

  private Event cloudEvent(String id) {
    Long eventVersion = number(id, HeaderNames.EVENT_VERSION, Integer.MAX_VALUE);
    return new Event(
        id,
        headers.remove(HeaderNames.TYPE),
        eventVersion == null ? 1 : eventVersion.intValue(),
        headers.remove(HeaderNames.AGGREGATE_TYPE),
        headers.remove(HeaderNames.SUBJECT),
        number(id, HeaderNames.AGGREGATE_VERSION, Long.MAX_VALUE),
        time(headers.remove(HeaderNames.TIME)),
        headers.remove(HeaderNames.CONTENT_TYPE),
        record.value(),
        producersOwn());
  }

  private Event routedByDebezium(String id) {
    byte[] key = record.key();
    return new Event(
        id,
        headers.remove(HeaderNames.DEBEZIUM_EVENT_TYPE),
        1,
        null,
        key == null ? null : new String(key, UTF_8),
        null,
        null,
        headers.remove(HeaderNames.CONTENT_TYPE),
        record.value(),
        producersOwn());
  }

  private @Nullable Long number(String id, String name, long max) {
    String text = headers.remove(name);
    if (text == null) {
      return null;
    }
    try {
      long number = Long.parseLong(text);
      if (number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new UndecodableRecordException(
        "Event %s of topic %s has the %s '%s', which is not a number up to %d"
            .formatted(id, record.topic(), name, text, max));
  }

  private static @Nullable Instant time(@Nullable String text) {
    return text == null ? null : Rfc3339.read(text);
  }

  /** Attributes that we do not know (other extensions, source) are not the producer's headers. */
  private Map<String, String> producersOwn() {
    headers.keySet().removeIf(HeaderNames::isReserved);
    return headers;
  }

  private static Map<String, String> text(WireRecord record) {
    Map<String, String> text = new LinkedHashMap<>();
    for (WireHeader header : record.headers()) {
      byte[] value = header.value();
      if (value == null) {
        text.remove(header.name());
      } else {
        text.put(header.name(), new String(value, UTF_8));
      }
    }
    return text;
  }
}
