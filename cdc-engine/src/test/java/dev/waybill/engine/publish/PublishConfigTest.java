package dev.waybill.engine.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PublishConfigTest {

  private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);

  @ParameterizedTest
  @CsvSource({
    "acks, 1",
    "acks, 0",
    "enable.idempotence, false",
    "max.in.flight.requests.per.connection, 2",
    "key.serializer, org.apache.kafka.common.serialization.StringSerializer",
    "partitioner.ignore.keys, true",
    "partitioner.class, org.apache.kafka.clients.producer.RoundRobinPartitioner",
    "transactional.id, mine",
    "delivery.timeout.ms, 60000",
    "max.block.ms, 30000",
    "linger.ms, soon",
    "compression.type, rar",
    "default.api.timeout.ms, x",
    "default.api.timeout.ms, 1",
    "bootstrap.servers, kafka",
  })
  void whatWouldLoseEventsOrTheirOrderIsNamed(String name, String value) {
    List<String> problems = problems(Map.of(name, value));

    assertThat(problems).hasSize(1);
    assertThat(problems.get(0)).startsWith("publish.kafka.").contains(known(name));
  }

  private static String known(String name) {
    return name.equals("max.block.ms") ? "delivery.timeout.ms + max.block.ms" : name;
  }

  @ParameterizedTest
  @CsvSource({
    "acks, all",
    "acks, -1",
    "enable.idempotence, true",
    "max.in.flight.requests.per.connection, 1",
    "delivery.timeout.ms, 2000",
    "request.timeout.ms, 20000",
    "linger.ms, 0",
    "compression.type, zstd",
    "max.request.size, 5242880",
    "security.protocol, SASL_SSL",
    "a.plugin.of.mine, x",
  })
  void whatIsSafeIsPassedThrough(String name, String value) {
    assertThat(problems(Map.of(name, value))).isEmpty();
  }

  @Test
  void allProblemsAreReportedTogether() {
    Map<String, String> kafka = Map.of("acks", "1", "transactional.id", "x");

    assertThat(PublishConfig.problems(kafka, KEEP_ALIVE)).hasSize(3);
    assertThatThrownBy(() -> Cluster.config("shop", kafka))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bootstrap.servers is missing")
        .hasMessageContaining("publish.kafka.acks");
  }

  @Test
  void secretsAreNotShown() {
    PublishConfig config =
        Cluster.config(
            "shop", Map.of("bootstrap.servers", "kafka:9092", "sasl.jaas.config", "hush"));

    assertThat(config.toString()).contains("sasl.jaas.config").doesNotContain("hush");
  }

  @Test
  void eachClientGetsWhatItUnderstands() {
    KafkaProperties properties =
        new KafkaProperties(
            "shop",
            Map.of("bootstrap.servers", "kafka:9092", "interceptor.classes", "x", "plugin", "y"));

    assertThat(properties.producer())
        .containsEntry("acks", "all")
        .containsEntry("interceptor.classes", "x");
    assertThat(properties.consumer())
        .containsEntry("isolation.level", "read_committed")
        .containsEntry("plugin", "y")
        .doesNotContainKeys("acks", "interceptor.classes", "compression.type");
    assertThat(properties.admin()).doesNotContainKeys("acks", "key.deserializer");
  }

  private static List<String> problems(Map<String, String> kafka) {
    Map<String, String> all = new HashMap<>(Map.of("bootstrap.servers", "kafka:9092"));
    all.putAll(kafka);
    return PublishConfig.problems(all, KEEP_ALIVE);
  }
}
