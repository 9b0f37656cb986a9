package dev.waybill.engine.publish;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics that events go to: whether they can be written to, and how large a record they take.
 * Asked before anything is sent, since a send that fails ends the publisher. Each topic costs three
 * requests once. Confined to the publishing thread.
 */
final class Topics {

  private static final Logger log = LoggerFactory.getLogger(Topics.class);

  /** A limit older than this is read again before an event is called too large. */
  private static final Duration FRESH = Duration.ofSeconds(10);

  /**
   * @param read the limit as the broker tells it
   * @param limit the same, less what was refused under it
   */
  private record Known(TopicLimit read, TopicLimit limit, Instant readAt) {}

  private final CurrentProducer producer;
  private final Admin admin;
  private final KafkaProperties properties;
  private final Refusals refusals;
  private final Clock clock;
  private final Map<String, Known> known = new HashMap<>();

  /** Topics that cannot be made, with the reason. */
  private final Map<String, String> impossible = new HashMap<>();

  Topics(
      CurrentProducer producer,
      Admin admin,
      KafkaProperties properties,
      Refusals refusals,
      Clock clock) {
    this.producer = producer;
    this.admin = admin;
    this.properties = properties;
    this.refusals = refusals;
    this.clock = clock;
  }

  /** Whether nothing is to be asked about the topic any more. */
  boolean isKnown(String topic) {
    return known.containsKey(topic) || impossible.containsKey(topic);
  }

  /** Why nothing can ever be written to this known topic; null if it can. */
  @Nullable String impossible(String topic) {
    return impossible.get(topic);
  }

  /**
   * Makes sure that each topic can be written to, or is known to be impossible. One that does not
   * exist is asked for as every client would, so that a broker which makes topics does so.
   *
   * @param wanted each topic with what needs it, for the message
   * @throws BrokerUnavailableException if one of them cannot be written to now
   */
  void require(Map<String, String> wanted) throws InterruptedException {
    if (wanted.isEmpty()) {
      return;
    }
    Set<String> missing = requirePermission(wanted);
    Map<String, String> possible = new LinkedHashMap<>(wanted);
    if (!missing.isEmpty()) {
      findCollisions(missing);
      missing.removeAll(impossible.keySet());
      possible.keySet().removeAll(impossible.keySet());
      askFor(missing);
    }
    for (String topic : possible.keySet()) {
      requireMetadata(topic, possible, missing);
    }
    readLimits(possible.keySet());
    wanted.keySet().forEach(refusals::removeTopic);
  }

  /** Kafka takes "." and "_" for the same: beside one topic, the other can never be made. */
  private void findCollisions(Set<String> missing) throws InterruptedException {
    Map<String, String> existing = new HashMap<>();
    try {
      KafkaFutures.get(admin.listTopics().names())
          .forEach(topic -> existing.put(topic.replace('.', '_'), topic));
    } catch (KafkaException e) {
      log.debug("Which topics exist is unknown: {} wait", missing, e);
    }
    for (String topic : missing) {
      String other = existing.get(topic.replace('.', '_'));
      if (other != null && !other.equals(topic)) {
        impossible.put(
            topic,
            "topic %s cannot be made beside %s, for Kafka takes '.' and '_' for the same"
                .formatted(topic, other));
      }
    }
  }

  /** The same for the topics that the publisher before this one could not write to. */
  void requireRefused() throws InterruptedException {
    require(refusals.topics());
  }

  /** Returns the topics that do not exist. */
  private Set<String> requirePermission(Map<String, String> wanted) throws InterruptedException {
    Map<String, KafkaFuture<TopicDescription>> descriptions =
        admin
            .describeTopics(
                wanted.keySet(), new DescribeTopicsOptions().includeAuthorizedOperations(true))
            .topicNameValues();
    Set<String> missing = new TreeSet<>();
    for (Map.Entry<String, String> topic : wanted.entrySet()) {
      String name = topic.getKey();
      try {
        requirePermission(name, topic.getValue(), required(descriptions, name));
      } catch (UnknownTopicOrPartitionException e) {
        missing.add(name);
      }
    }
    return missing;
  }

  private void requirePermission(
      String topic, String waiting, KafkaFuture<TopicDescription> description)
      throws InterruptedException {
    try {
      Set<AclOperation> allowed = KafkaFutures.get(description).authorizedOperations();
      if (allowed != null && !allowed.isEmpty() && !allowed.contains(AclOperation.WRITE)) {
        throw forbidden(topic, waiting, null);
      }
    } catch (UnknownTopicOrPartitionException e) {
      throw e;
    } catch (AuthorizationException e) {
      throw forbidden(topic, waiting, e);
    } catch (KafkaException e) {
      throw new BrokerUnavailableException(
          "Topic %s cannot be described: %s; %s waits".formatted(topic, e.getMessage(), waiting),
          e);
    }
  }

  /**
   * Has the broker begin with all of them, if it makes topics; waiting for one after the other took
   * most of a second each.
   */
  private void askFor(Set<String> missing) throws InterruptedException {
    try (Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties.askingConsumer())) {
      missing.forEach(consumer::partitionsFor);
    } catch (InterruptException e) {
      throw KafkaFutures.checked(e);
    } catch (KafkaException e) {
      log.debug("Topics {} could not all be asked for", missing, e);
    }
  }

  /** Waits for the topic's partitions, at most max.block.ms; nothing is sent without them. */
  private void requireMetadata(String topic, Map<String, String> wanted, Set<String> missing)
      throws InterruptedException {
    String waiting = required(wanted, topic);
    try {
      producer.get().partitionsFor(topic);
    } catch (InterruptException e) {
      throw KafkaFutures.checked(e);
    } catch (AuthorizationException e) {
      throw forbidden(topic, waiting, e);
    } catch (KafkaException e) {
      throw missing.contains(topic) ? notThere(wanted, missing, e) : untold(topic, waiting, e);
    }
  }

  /** Names all that are missing, so that they can be made together. */
  private BrokerUnavailableException notThere(
      Map<String, String> wanted, Set<String> missing, KafkaException cause) {
    StringJoiner waiting = new StringJoiner("; ");
    for (String topic : missing) {
      refusals.addTopic(topic, required(wanted, topic));
      waiting.add("%s waits for %s".formatted(required(wanted, topic), topic));
    }
    return new BrokerUnavailableException(
        "Topic %s does not exist and the broker does not create it: %s. Create what is missing"
            .formatted(String.join(", ", missing), waiting),
        cause);
  }

  private static BrokerUnavailableException untold(
      String topic, String waiting, KafkaException cause) {
    return new BrokerUnavailableException(
        "Kafka told nothing of topic %s: %s; %s waits"
            .formatted(topic, cause.getMessage(), waiting),
        cause);
  }

  private BrokerUnavailableException forbidden(
      String topic, String waiting, @Nullable KafkaException cause) {
    return refused(
        topic,
        waiting,
        "Waybill may not write to topic %s; %s waits. Allow WRITE and DESCRIBE on it"
            .formatted(topic, waiting),
        cause);
  }

  private BrokerUnavailableException refused(
      String topic, String waiting, String message, @Nullable KafkaException cause) {
    refusals.addTopic(topic, waiting);
    return new BrokerUnavailableException(message, cause);
  }

  /** The largest record that may be sent to a known topic. */
  TopicLimit limit(String topic) {
    return required(known, topic).limit();
  }

  /** The same, read again unless that was done just now: an operator may have raised it. */
  TopicLimit limitNow(String topic) throws InterruptedException {
    Known before = required(known, topic);
    if (before.readAt().plus(FRESH).isBefore(clock.instant())) {
      readLimits(List.of(topic));
    }
    return limit(topic);
  }

  /** The broker did not take a record of this size: neither this publisher nor the next will. */
  void refusedAsTooLarge(String topic, int size) throws InterruptedException {
    Known limit = known.get(topic);
    if (limit != null) {
      refusals.addTooLarge(topic, size, limit.read());
      readLimits(List.of(topic));
    }
  }

  /** The topic cannot be written to: the next publisher asks before anything else. */
  void refused(String topic, String waiting) {
    refusals.addTopic(topic, waiting);
  }

  private void readLimits(Collection<String> topics) throws InterruptedException {
    List<ConfigResource> resources =
        topics.stream().map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic)).toList();
    Map<ConfigResource, KafkaFuture<Config>> configs = admin.describeConfigs(resources).values();
    for (ConfigResource resource : resources) {
      TopicLimit limit = readLimit(resource.name(), required(configs, resource));
      TopicLimit corrected = refusals.correct(resource.name(), limit);
      known.put(resource.name(), new Known(limit, corrected, clock.instant()));
    }
  }

  private TopicLimit readLimit(String topic, KafkaFuture<Config> config)
      throws InterruptedException {
    try {
      return ofTopic(KafkaFutures.get(config));
    } catch (AuthorizationException | UnknownTopicOrPartitionException e) {
      log.debug("The limit of topic {} cannot be read", topic, e);
      return smaller(properties.assumedTopicLimit(), "assumed, its own cannot be read");
    } catch (KafkaException e) {
      throw new BrokerUnavailableException(
          "The limits of topic %s cannot be read: %s".formatted(topic, e.getMessage()), e);
    }
  }

  private TopicLimit ofTopic(Config config) {
    int bytes = Integer.parseInt(config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value());
    return smaller(uncompressed(bytes), "max.message.bytes of the topic is " + bytes);
  }

  /**
   * The broker measures what it gets, and that is larger than the record when it cannot be
   * compressed: by less than 1/128 and 64 bytes with every codec. A record that compresses well
   * would be taken although it is larger than this; whether an event is published must not depend
   * on how well it compresses, so it is parked all the same.
   */
  private int uncompressed(int bytes) {
    return properties.isCompressing() ? bytes - bytes / 128 - 64 : bytes;
  }

  private TopicLimit smaller(int topicLimit, String source) {
    return topicLimit <= properties.maxRecord()
        ? new TopicLimit(topicLimit, source)
        : new TopicLimit(properties.maxRecord(), "max.request.size of the producer");
  }

  private static <K, V> V required(Map<K, V> map, K key) {
    return Objects.requireNonNull(map.get(key), () -> String.valueOf(key));
  }
}
