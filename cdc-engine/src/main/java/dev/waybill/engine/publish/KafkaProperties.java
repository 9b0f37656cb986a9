package dev.waybill.engine.publish;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What each Kafka client is configured with: our defaults, the user's properties over them, and
 * over both what no event may be published without. Immutable.
 */
final class KafkaProperties {

  /** Kafka's default for a topic's {@code max.message.bytes}. */
  static final int BROKER_MAX_MESSAGE = 1_048_588;

  private static final String KEY = "publish.kafka.";

  static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          // Every batch is flushed, so this delays nothing: it only keeps requests full meanwhile.
          Map.entry(ProducerConfig.LINGER_MS_CONFIG, "50"),
          Map.entry(ProducerConfig.BATCH_SIZE_CONFIG, "131072"),
          Map.entry(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4"),
          Map.entry(ProducerConfig.BUFFER_MEMORY_CONFIG, "67108864"),
          // The topics' own limits decide, not this one.
          Map.entry(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, "16777216"),
          Map.entry(ProducerConfig.MAX_BLOCK_MS_CONFIG, "10000"),
          Map.entry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "30000"),
          Map.entry(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000"),
          Map.entry(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, "10000"));

  private static final Map<String, String> PROTECTED =
      Map.of(
          ProducerConfig.ACKS_CONFIG, "all",
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true",
          // See InFlight: with more, a topic that was just made takes a later request first.
          ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1",
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName(),
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName(),
          ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG, "false");

  private final Map<String, String> user;
  private final Map<String, String> merged;

  KafkaProperties(String engine, Map<String, String> user) {
    this.user = Map.copyOf(user);
    this.merged = new HashMap<>(DEFAULTS);
    merged.put(ProducerConfig.CLIENT_ID_CONFIG, "waybill-" + engine);
    merged.putAll(user);
    merged.putAll(PROTECTED);
    fitTimeouts();
  }

  /** The time-outs that were not set follow the one that was, since Kafka wants them in order. */
  private void fitTimeouts() {
    try {
      long within = number(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG) - number("linger.ms");
      if (!user.containsKey(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG) && within > 0) {
        long timeout = Math.min(number(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG), within);
        merged.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Long.toString(timeout));
      }
      if (!user.containsKey(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG)) {
        merged.put(
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            merged.get(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG));
      }
    } catch (NumberFormatException e) {
      // A problem of its own, named by the check of the producer's properties.
    }
  }

  Map<String, Object> producer() {
    return new HashMap<>(merged);
  }

  /** For the consumer that reads progress: it belongs to no group and sees what is committed. */
  Map<String, Object> consumer() {
    Map<String, Object> properties = without(ConsumerConfig.configNames());
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    properties.put(
        ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    properties.put(
        ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    return properties;
  }

  /** For a consumer that has topics made by asking for them. */
  Map<String, Object> askingConsumer() {
    Map<String, Object> properties = consumer();
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "true");
    return properties;
  }

  Map<String, Object> admin() {
    return without(AdminClientConfig.configNames());
  }

  /** Everything but what only a producer understands: plug-ins may read names of their own. */
  private Map<String, Object> without(Set<String> understood) {
    Set<String> producerOnly = new HashSet<>(ProducerConfig.configNames());
    producerOnly.removeAll(understood);
    producerOnly.add(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
    Map<String, Object> properties = new HashMap<>(merged);
    properties.keySet().removeAll(producerOnly);
    return properties;
  }

  /** The largest record that the producer sends, whatever the topic takes. */
  int maxRecord() {
    long bytes =
        Math.min(
            number(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
            number(ProducerConfig.BUFFER_MEMORY_CONFIG));
    return (int) Math.min(bytes, Integer.MAX_VALUE);
  }

  /** What a topic is taken to accept while its own limit cannot be read. */
  int assumedTopicLimit() {
    return user.containsKey(ProducerConfig.MAX_REQUEST_SIZE_CONFIG)
        ? maxRecord()
        : BROKER_MAX_MESSAGE;
  }

  boolean isCompressing() {
    return !"none".equals(merged.get(ProducerConfig.COMPRESSION_TYPE_CONFIG));
  }

  /** How long a call of the admin client or the consumer may take. */
  Duration apiTimeout() {
    return Duration.ofMillis(number(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG));
  }

  private long number(String name) {
    return Long.parseLong(String.valueOf(merged.get(name)).trim());
  }

  List<String> problems(Duration keepAlive) {
    List<String> problems = new ArrayList<>();
    bootstrapProblem(problems);
    protectedProblems(problems);
    orderProblems(problems);
    try {
      if (user.containsKey(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
        checkTypes();
        timeoutProblems(keepAlive, problems);
      }
    } catch (ConfigException e) {
      problems.add(KEY + "*: " + e.getMessage());
    }
    return problems;
  }

  /** The clients' own check of names and values; none of them is started. */
  private void checkTypes() {
    new ProducerConfig(producer());
    new AdminClientConfig(admin());
    new ConsumerConfig(consumer());
  }

  private void bootstrapProblem(List<String> problems) {
    String servers = user.getOrDefault(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "");
    if (servers.isBlank()) {
      problems.add(KEY + "bootstrap.servers is missing: the brokers as host:port,host:port");
    } else {
      for (String server : servers.split(",", -1)) {
        if (!server.strip().matches(".+:\\d{1,5}")) {
          problems.add(KEY + "bootstrap.servers: '" + server.strip() + "' is not host:port");
        }
      }
    }
  }

  private void protectedProblems(List<String> problems) {
    PROTECTED.forEach(
        (name, value) -> {
          String given = user.get(name);
          boolean same = value.equals(given) || (name.equals("acks") && "-1".equals(given));
          if (given != null && !same) {
            problems.add(
                KEY + name + ": '" + given + "' would lose events or their order; leave it out");
          }
        });
    if (user.containsKey(ProducerConfig.TRANSACTIONAL_ID_CONFIG)) {
      problems.add(KEY + "transactional.id is made by Waybill; leave it out");
    }
  }

  private void orderProblems(List<String> problems) {
    if (RoundRobinPartitioner.class
        .getName()
        .equals(user.get(ProducerConfig.PARTITIONER_CLASS_CONFIG))) {
      problems.add(KEY + "partitioner.class: it ignores the key, which would lose the order");
    }
  }

  private void timeoutProblems(Duration keepAlive, List<String> problems) {
    long delivery = number(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG);
    long request = number(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
    long linger = number(ProducerConfig.LINGER_MS_CONFIG);
    if (delivery < linger + request) {
      problems.add(
          "%sdelivery.timeout.ms: %d is less than linger.ms + request.timeout.ms = %d"
              .formatted(KEY, delivery, linger + request));
    }
    long blocked = delivery + number(ProducerConfig.MAX_BLOCK_MS_CONFIG);
    if (blocked >= keepAlive.toMillis()) {
      problems.add(
          "%sdelivery.timeout.ms + max.block.ms: %d ms hold the source's reader longer than it keeps its connection (%d ms)"
              .formatted(KEY, blocked, keepAlive.toMillis()));
    }
    if (number(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG) < request) {
      problems.add(KEY + "default.api.timeout.ms is less than request.timeout.ms");
    }
  }
}
