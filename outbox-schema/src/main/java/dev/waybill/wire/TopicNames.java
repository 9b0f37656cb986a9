package dev.waybill.wire;

import dev.waybill.event.EventRules;
import org.jspecify.annotations.Nullable;

/**
 * Which topic names are legal, and what Waybill's own topics are called.
 *
 * <p>Topic names are never rewritten: {@code Order} and {@code order} are two topics, and a name
 * that is not legal is an error and not another name.
 */
public final class TopicNames {

  private static final int MAX_ENGINE_LENGTH = 40;

  private TopicNames() {}

  /**
   * What is wrong with a topic's name: Kafka takes {@code [a-zA-Z0-9._-]{1,249}}, but not "." and
   * "..".
   *
   * @return the end of a sentence that begins with the name of the topic or of its column; null if
   *     nothing is wrong
   */
  public static @Nullable String problem(String topic) {
    return EventRules.topicProblem(topic);
  }

  /**
   * What is wrong with a topic that an event is to go to: as {@link #problem}, and none that begins
   * with {@code waybill.}, or an event could pass for an engine's progress, or with {@code __}, the
   * topics that Kafka keeps for itself and lets nobody write to.
   */
  public static @Nullable String eventProblem(String topic) {
    return EventRules.eventTopicProblem(topic);
  }

  /** The compacted topic of one partition that holds how far an engine has come. */
  public static String progress(String engine) {
    return "waybill." + requireEngine(engine) + ".progress";
  }

  /** Where an engine parks what it cannot publish. */
  public static String parked(String engine) {
    return "waybill." + requireEngine(engine) + ".parked";
  }

  /** Where a consumer group parks what it cannot handle from {@code topic}. */
  public static String parked(String topic, String group) {
    return requireLegal(topic + "." + group + ".parked");
  }

  /** Where events parked by {@code group} are offered again, to that group alone. */
  public static String redrive(String topic, String group) {
    return requireLegal(topic + "." + group + ".redrive");
  }

  /**
   * An engine's name, from which its topics, its slot and its publication derive.
   *
   * @throws IllegalArgumentException unless it is {@code [a-z0-9_]{1,40}}
   */
  public static String requireEngine(String engine) {
    if (engine.isEmpty()
        || engine.length() > MAX_ENGINE_LENGTH
        || !engine.chars().allMatch(TopicNames::isEngineCharacter)) {
      throw new IllegalArgumentException(
          "Engine name '" + engine + "' is not legal: 1 to 40 characters of a-z 0-9 _");
    }
    return engine;
  }

  private static boolean isEngineCharacter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  }

  private static String requireLegal(String topic) {
    String problem = problem(topic);
    if (problem != null) {
      throw new IllegalArgumentException("Topic name " + problem);
    }
    return topic;
  }
}
