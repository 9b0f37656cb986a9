package dev.waybill.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.event.Event;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Events for tests. */
public final class Events {

  private Events() {}

  public static Event event(String id) {
    return event(id, "OrderCreated", "order-1", null);
  }

  public static Event event(
      String id, @Nullable String type, String aggregateId, @Nullable Long version) {
    return withPayload(id, type, aggregateId, version, "{\"quantity\":1}".getBytes(UTF_8));
  }

  public static Event withPayload(
      String id,
      @Nullable String type,
      String aggregateId,
      @Nullable Long version,
      byte @Nullable [] payload) {
    return new Event(
        id,
        type,
        1,
        "Order",
        aggregateId,
        version,
        Instant.EPOCH,
        "application/json",
        payload,
        Map.of("tenant", "acme"));
  }
}
