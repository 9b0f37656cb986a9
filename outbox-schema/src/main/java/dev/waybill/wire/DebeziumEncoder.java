package dev.waybill.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.event.Event;
import java.util.ArrayList;
import java.util.List;

/** Stateless. */
final class DebeziumEncoder implements EventEncoder {

  @Override
  public WireRecord encode(String topic, String key, Event event, long timestamp) {
    return new WireRecord(topic, key.getBytes(UTF_8), event.payload(), headers(event), timestamp);
  }

  private static List<WireHeader> headers(Event event) {
    List<WireHeader> headers = new ArrayList<>(2 + event.headers().size());
    headers.add(WireHeader.of(HeaderNames.DEBEZIUM_ID, event.id()));
    String type = event.type();
    if (type != null) {
      headers.add(WireHeader.of(HeaderNames.DEBEZIUM_EVENT_TYPE, type));
    }
    event.headers().forEach((name, value) -> headers.add(WireHeader.of(name, value)));
    return headers;
  }
}
