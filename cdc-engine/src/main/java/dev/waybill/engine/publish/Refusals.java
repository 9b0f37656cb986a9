package dev.waybill.engine.publish;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the broker refused, so that the next publisher does not walk into it again. Outlives
 * publishers; lost with the process, which costs one more refusal. Safe for many threads.
 */
final class Refusals {

  /** A size the broker did not take although its limit, as far as it was known, allowed it. */
  private record TooLarge(int size, TopicLimit limit) {}

  private final Map<String, TooLarge> tooLarge = new ConcurrentHashMap<>();
  private final Map<String, String> topics = new ConcurrentHashMap<>();

  void addTooLarge(String topic, int size, TopicLimit limit) {
    tooLarge.merge(topic, new TooLarge(size, limit), (a, b) -> a.size() < b.size() ? a : b);
  }

  /** The limit less what was refused under it; a limit that has changed since is believed again. */
  TopicLimit correct(String topic, TopicLimit limit) {
    TooLarge refused = tooLarge.get(topic);
    if (refused == null) {
      return limit;
    }
    if (!refused.limit().equals(limit)) {
      tooLarge.remove(topic, refused);
      return limit;
    }
    return new TopicLimit(Math.min(limit.bytes(), refused.size() - 1), limit.source());
  }

  /** The topic cannot be written to now, and {@code waiting} names the event that needs it. */
  void addTopic(String topic, String waiting) {
    topics.put(topic, waiting);
  }

  void removeTopic(String topic) {
    topics.remove(topic);
  }

  /** Topics that could not be written to, each with the event that needs it. */
  Map<String, String> topics() {
    return new LinkedHashMap<>(topics);
  }
}
