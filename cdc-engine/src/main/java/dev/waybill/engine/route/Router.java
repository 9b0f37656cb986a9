package dev.waybill.engine.route;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.engine.capture.Change;
import dev.waybill.engine.capture.OutboxRow;
import dev.waybill.event.Event;
import dev.waybill.wire.EventEncoder;
import dev.waybill.wire.ParkedHeaders;
import dev.waybill.wire.TopicNames;
import dev.waybill.wire.TopicTemplate;
import dev.waybill.wire.WireHeader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a change. The same change always gives the same route: an event that is
 * sent again after a crash is the same bytes again. Confined to one thread, for the sake of the
 * topic names it remembers.
 */
public final class Router {

  private static final int MAX_EVENT_ID = 64;

  /** So many aggregate types are remembered; an application that invents them starts it anew. */
  private static final int MAX_TOPICS = 1_000;

  private final TopicTemplate template;
  private final HeaderFormat format;
  private final EventEncoder encoder;
  private final HeadersColumn headersColumn;
  private final Map<String, String> topics = new HashMap<>();

  public Router(RouteConfig config) {
    this.template = config.topic();
    this.format = config.headers();
    this.encoder = config.headers().encoder(config.source());
    this.headersColumn = new HeadersColumn(config.headers()::isReserved);
  }

  /** Never throws for what a row may hold: what cannot be published is parked. */
  public Route route(Change change) {
    try {
      return publish(change);
    } catch (UnroutableException e) {
      return park(change, e.reason());
    }
  }

  private Route publish(Change change) throws UnroutableException {
    OutboxRow row = change.row();
    String eventId = eventId(row);
    String topic = topic(row);
    String key = key(row);
    requireType(row);
    Event event = event(change, eventId, headersColumn.read(row.headers()));
    return new Route.Publish(change, encoder.encode(topic, key, event, timestamp(change)));
  }

  private static String eventId(OutboxRow row) throws UnroutableException {
    String id = row.eventId();
    if (id == null || id.isBlank()) {
      throw new UnroutableException("event_id is " + (id == null ? "NULL" : "blank"));
    }
    if (id.length() > MAX_EVENT_ID && id.codePointCount(0, id.length()) > MAX_EVENT_ID) {
      throw new UnroutableException(
          "event_id has %d characters, more than %d"
              .formatted(id.codePointCount(0, id.length()), MAX_EVENT_ID));
    }
    return id;
  }

  private String topic(OutboxRow row) throws UnroutableException {
    String topic = row.topic();
    if (topic != null) {
      return requireLegal("topic", topic);
    }
    String type = row.aggregateType();
    if (!template.perAggregateType()) {
      return template.render("");
    }
    if (type == null || type.isEmpty()) {
      throw new UnroutableException(
          "aggregate_type is %s, but the topic is made of it"
              .formatted(type == null ? "NULL" : "empty"));
    }
    String known = topics.get(type);
    return known != null ? known : remember(type);
  }

  private String remember(String type) throws UnroutableException {
    String topic =
        requireLegal("the topic of aggregate_type '" + type + "'", template.render(type));
    if (topics.size() == MAX_TOPICS) {
      topics.clear();
    }
    topics.put(type, topic);
    return topic;
  }

  private static String requireLegal(String what, String topic) throws UnroutableException {
    String problem = TopicNames.eventProblem(topic);
    if (problem != null) {
      throw new UnroutableException(what + " " + problem);
    }
    return topic;
  }

  private static String key(OutboxRow row) throws UnroutableException {
    String key = wantedKey(row);
    if (key == null || key.isEmpty()) {
      throw new UnroutableException(
          "%s is %s, so the event has no key and no order"
              .formatted(
                  row.key() == null ? "aggregate_id" : "event_key",
                  key == null ? "NULL" : "empty"));
    }
    return key;
  }

  private void requireType(OutboxRow row) throws UnroutableException {
    String type = row.eventType();
    if (format.requiresType() && (type == null || type.isEmpty())) {
      throw new UnroutableException(
          "event_type is %s, and CloudEvents requires one"
              .formatted(type == null ? "NULL" : "empty"));
    }
  }

  private static @Nullable String wantedKey(OutboxRow row) {
    return row.key() != null ? row.key() : row.aggregateId();
  }

  private static Event event(Change change, String id, Map<String, String> headers) {
    OutboxRow row = change.row();
    return new Event(
        id,
        row.eventType(),
        row.eventVersion() == null ? 1 : row.eventVersion(),
        row.aggregateType(),
        row.aggregateId(),
        row.aggregateVersion(),
        row.occurredAt() != null ? row.occurredAt() : change.committedAt(),
        row.contentType(),
        row.payload(),
        headers);
  }

  /** Kafka takes no time before 1970. */
  private static long timestamp(Change change) {
    return Math.max(0, change.committedAt().toEpochMilli());
  }

  private Route park(Change change, String reason) {
    String key = wantedKey(change.row());
    return new Route.Park(
        change,
        wantedTopic(change.row()),
        key == null ? null : key.getBytes(UTF_8),
        parkedHeaders(change),
        reason);
  }

  private @Nullable String wantedTopic(OutboxRow row) {
    if (row.topic() != null) {
      return row.topic();
    }
    return row.aggregateType() == null ? null : template.render(row.aggregateType());
  }

  /** As the event would have had them, as far as the row allows it. */
  private List<WireHeader> parkedHeaders(Change change) {
    OutboxRow row = change.row();
    List<WireHeader> headers = new ArrayList<>();
    Map<String, String> members = Map.of();
    try {
      members = headersColumn.read(row.headers());
    } catch (UnroutableException e) {
      headers.add(WireHeader.of(ParkedHeaders.ROW_HEADERS, String.valueOf(row.headers())));
    }
    String id = row.eventId() == null ? "" : row.eventId();
    headers.addAll(0, encoder.encode("", "", event(change, id, members), 0).headers());
    return headers;
  }
}
