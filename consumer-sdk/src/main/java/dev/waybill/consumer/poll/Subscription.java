package dev.waybill.consumer.poll;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What is read by whom.
 *
 * @param group the consumer group
 * @param topics to read
 * @param settings of the Kafka consumer, as the user gave them
 */
public record Subscription(String group, List<String> topics, Map<String, Object> settings) {

  /** What a user may not set, and why. */
  private static final Map<String, String> OURS =
      Map.of(
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
          "offsets are committed after the database transaction",
          ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
          "records are read as bytes, payloads by the PayloadDecoder",
          ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
          "records are read as bytes, payloads by the PayloadDecoder",
          ConsumerConfig.GROUP_ID_CONFIG,
          "the group is the argument of builder(…)");

  /** What holds unless the user says otherwise. A mistyped topic is waited for, not created. */
  private static final Map<String, Object> DEFAULTS =
      Map.of(
          ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
          ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest",
          ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);

  public Subscription {
    topics = List.copyOf(topics);
    settings = Map.copyOf(settings);
  }

  /** What is wrong with the settings, as sentences for people. Asks no server. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    OURS.forEach(
        (key, reason) -> {
          Object value = settings.get(key);
          if (value != null && !isWhatWeSet(key, value)) {
            problems.add("kafka: %s=%s is not yours to set: %s".formatted(key, value, reason));
          }
        });
    List<String> wrong = wrongValues();
    problems.addAll(wrong.isEmpty() ? wrongTogether() : wrong);
    return problems;
  }

  private List<String> wrongValues() {
    Map<String, String> texts = new HashMap<>();
    complete().forEach((key, value) -> texts.put(key, text(value)));
    return ConsumerConfig.configDef().validate(texts).stream()
        .flatMap(value -> value.errorMessages().stream())
        .map(message -> "kafka: " + message)
        .toList();
  }

  private static String text(Object value) {
    if (value instanceof Class<?> type) {
      return type.getName();
    }
    return value instanceof Collection<?> many
        ? many.stream().map(Subscription::text).collect(Collectors.joining(","))
        : value.toString();
  }

  /** Settings may be right one by one and still not go together; that is found one at a time. */
  private List<String> wrongTogether() {
    try {
      ConsumerConfig checked = new ConsumerConfig(complete());
      checked.unused();
      return List.of();
    } catch (ConfigException e) {
      return List.of("kafka: " + e.getMessage());
    }
  }

  /**
   * How long the broker waits for a poll before it gives the partitions to somebody else; empty if
   * the settings are wrong.
   */
  public Optional<Duration> maxPollInterval() {
    try {
      int millis =
          new ConsumerConfig(complete()).getInt(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG);
      return Optional.of(Duration.ofMillis(millis));
    } catch (ConfigException e) {
      return Optional.empty();
    }
  }

  Map<String, Object> complete() {
    Map<String, Object> complete = new HashMap<>(DEFAULTS);
    complete.putAll(settings);
    complete.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    complete.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    complete.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    complete.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return complete;
  }

  private boolean isWhatWeSet(String key, Object value) {
    Object ours = complete().get(key);
    return ours != null && text(ours).equals(text(value));
  }
}
