package dev.waybill.engine.publish;

import dev.waybill.wire.TopicNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * How events are published.
 *
 * @param engine its name, from which the topics for progress and parked events derive
 * @param kafka properties of the Kafka clients, passed through; {@code bootstrap.servers} at least
 * @param onUnpublishable what becomes of rows that cannot be published
 * @param replicationFactor of the topics that the engine makes for itself; -1 is the broker's
 *     default
 * @param sourceKeepAlive how long the source's reader may be held up: Kafka's time-outs together
 *     are shorter
 */
public record PublishConfig(
    String engine,
    Map<String, String> kafka,
    OnUnpublishable onUnpublishable,
    short replicationFactor,
    Duration sourceKeepAlive) {

  /** What Debezium's readers allow between two batches before they doubt their connection. */
  public static final Duration DEFAULT_KEEP_ALIVE = Duration.ofSeconds(60);

  /** As many copies as the broker makes of topics by default. */
  public static final short BROKER_DEFAULT = -1;

  /**
   * @throws IllegalArgumentException with all {@link #problems}, one a line
   */
  public PublishConfig {
    TopicNames.requireEngine(engine);
    kafka = Map.copyOf(kafka);
    Objects.requireNonNull(onUnpublishable, "onUnpublishable");
    List<String> problems = problems(kafka, sourceKeepAlive);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", problems));
    }
  }

  /** Without the values for Kafka, among which are passwords. */
  @Override
  public String toString() {
    return "PublishConfig[engine=%s, kafka=%s, onUnpublishable=%s, replicationFactor=%d]"
        .formatted(engine, new TreeSet<>(kafka.keySet()), onUnpublishable, replicationFactor);
  }

  /**
   * What is wrong with the properties for Kafka: values that the clients do not take, and those
   * that would lose events or their order. Nothing is contacted.
   *
   * @return a sentence each, naming the key as it is configured ({@code publish.kafka.acks})
   */
  public static List<String> problems(Map<String, String> kafka, Duration sourceKeepAlive) {
    return new KafkaProperties("problems", kafka).problems(sourceKeepAlive);
  }
}
