package dev.waybill.it.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Makes one writer's events, of aggregates that no other writer touches. Confined to the writer's
 * thread.
 *
 * <p>Events are made in the order in which they will be committed, whatever the order of their
 * inserts; those of a transaction that is rolled back are given back in between.
 */
public final class EventSource {

  private static final List<String> TYPES = List.of("order", "payment");
  private static final int AGGREGATES = 8;

  private final String writer;
  private final RandomGenerator random;
  private final Map<String, Long> versions = new HashMap<>();
  private long made;

  public EventSource(String writer, RandomGenerator random) {
    this.writer = writer;
    this.random = random;
  }

  /** The next event of any aggregate. */
  public LoadEvent next() {
    String type = TYPES.get(random.nextInt(TYPES.size()));
    return next(type, writer + "-" + random.nextInt(AGGREGATES));
  }

  /** The next event of one aggregate. */
  public LoadEvent next(String type, String aggregateId) {
    made++;
    long version = versions.merge(type + "/" + aggregateId, 1L, Long::sum);
    String id = writer + "-" + made;
    return new LoadEvent(id, type, aggregateId, version, payload(id, version));
  }

  public List<LoadEvent> next(int count) {
    List<LoadEvent> events = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      events.add(next());
    }
    return events;
  }

  /** Takes back the events made last, which were not committed. */
  void giveBack(List<LoadEvent> events) {
    events.forEach(event -> versions.merge(event.aggregate(), -1L, Long::sum));
  }

  private String payload(String id, long version) {
    return "{\"b\": \"é😀\\\"\\\\\", \"id\":\"%s\",\"version\":%d, \"amount\":199.00, \"pad\":\"%s\"}"
        .formatted(id, version, "x".repeat(random.nextInt(200)));
  }
}
