package dev.waybill.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.event.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Immutable: what is the same in every event is encoded once. */
final class CloudEventsEncoder implements EventEncoder {

  private static final WireHeader SPEC_VERSION = WireHeader.of(HeaderNames.SPEC_VERSION, "1.0");
  private static final WireHeader FIRST_EVENT_VERSION =
      WireHeader.of(HeaderNames.EVENT_VERSION, "1");
  private static final WireHeader JSON = WireHeader.of(HeaderNames.CONTENT_TYPE, ContentTypes.JSON);
  private static final WireHeader BINARY =
      WireHeader.of(HeaderNames.CONTENT_TYPE, ContentTypes.BINARY);
  private static final int ATTRIBUTES = 10;

  private final WireHeader source;

  CloudEventsEncoder(String source) {
    if (source.isEmpty()) {
      throw new IllegalArgumentException(
          "ce_source is empty; CloudEvents requires a URI reference");
    }
    this.source = WireHeader.of(HeaderNames.SOURCE, source);
  }

  @Override
  public WireRecord encode(String topic, String key, Event event, long timestamp) {
    return new WireRecord(topic, key.getBytes(UTF_8), event.payload(), headers(event), timestamp);
  }

  private List<WireHeader> headers(Event event) {
    List<WireHeader> headers = new ArrayList<>(ATTRIBUTES + event.headers().size());
    headers.add(SPEC_VERSION);
    headers.add(WireHeader.of(HeaderNames.ID, event.id()));
    headers.add(source);
    addIfThere(headers, HeaderNames.TYPE, event.type());
    addIfThere(headers, HeaderNames.SUBJECT, event.aggregateId());
    addTime(headers, event.occurredAt());
    addContentType(headers, event.contentType());
    addIfThere(headers, HeaderNames.AGGREGATE_TYPE, event.aggregateType());
    addVersions(headers, event);
    event.headers().forEach((name, value) -> headers.add(WireHeader.of(name, value)));
    return headers;
  }

  /** CloudEvents has no empty attributes: one that would be empty is left out. */
  private static void addIfThere(List<WireHeader> headers, String name, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      headers.add(WireHeader.of(name, value));
    }
  }

  private static void addTime(List<WireHeader> headers, @Nullable Instant time) {
    byte[] written = time == null ? null : Rfc3339.write(time);
    if (written != null) {
      headers.add(new WireHeader(HeaderNames.TIME, written));
    }
  }

  private static void addContentType(List<WireHeader> headers, @Nullable String contentType) {
    if (ContentTypes.JSON.equals(contentType)) {
      headers.add(JSON);
    } else if (ContentTypes.BINARY.equals(contentType)) {
      headers.add(BINARY);
    } else {
      addIfThere(headers, HeaderNames.CONTENT_TYPE, contentType);
    }
  }

  private static void addVersions(List<WireHeader> headers, Event event) {
    Long aggregateVersion = event.aggregateVersion();
    if (aggregateVersion != null) {
      headers.add(WireHeader.of(HeaderNames.AGGREGATE_VERSION, aggregateVersion.toString()));
    }
    headers.add(
        event.version() == 1
            ? FIRST_EVENT_VERSION
            : WireHeader.of(HeaderNames.EVENT_VERSION, Integer.toString(event.version())));
  }
}
