package dev.waybill.engine.publish;

import dev.waybill.wire.TopicNames;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two topics that an engine makes for itself, of one partition each. Progress is compacted:
 * only its newest record counts, and that must not expire. Parked events never expire and are never
 * compacted: two of them may have one key.
 */
final class OwnTopics {

  private static final Logger log = LoggerFactory.getLogger(OwnTopics.class);

  private final Admin admin;
  private final PublishConfig config;

  OwnTopics(Admin admin, PublishConfig config) {
    this.admin = admin;
    this.config = config;
  }

  /**
   * Makes what is missing and checks what is there.
   *
   * @throws BrokerUnavailableException when that is not possible now, or a topic is not as it must
   *     be; the message says what an operator may do
   */
  void ensure() throws InterruptedException {
    ensure(progress());
    ensure(parked());
  }

  private NewTopic progress() {
    return topic(
        TopicNames.progress(config.engine()),
        Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT,
            // Compaction leaves the newest segment alone: it is kept small.
            TopicConfig.SEGMENT_BYTES_CONFIG, "8388608",
            TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.1"));
  }

  private NewTopic parked() {
    return topic(
        TopicNames.parked(config.engine()),
        Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE,
            TopicConfig.RETENTION_MS_CONFIG, "-1",
            TopicConfig.RETENTION_BYTES_CONFIG, "-1"));
  }

  private NewTopic topic(String name, Map<String, String> configs) {
    Optional<Short> replication =
        config.replicationFactor() == PublishConfig.BROKER_DEFAULT
            ? Optional.empty()
            : Optional.of(config.replicationFactor());
    return new NewTopic(name, Optional.of(1), replication).configs(configs);
  }

  private void ensure(NewTopic topic) throws InterruptedException {
    try {
      TopicDescription found = find(topic);
      if (found == null) {
        create(topic);
      } else {
        check(found);
        check(topic);
      }
    } catch (AuthorizationException e) {
      throw new BrokerUnavailableException(
          "Waybill may not make or read its topic %s (%s). Allow CREATE, DESCRIBE, READ and WRITE on it, or make it with %s"
              .formatted(topic.name(), e.getMessage(), needs(topic)),
          e);
    } catch (KafkaException e) {
      throw new BrokerUnavailableException(
          "Kafka did not make or show topic %s: %s".formatted(topic.name(), e.getMessage()), e);
    }
  }

  private @Nullable TopicDescription find(NewTopic topic) throws InterruptedException {
    try {
      return KafkaFutures.get(admin.describeTopics(List.of(topic.name())).allTopicNames())
          .get(topic.name());
    } catch (UnknownTopicOrPartitionException e) {
      return null;
    }
  }

  private void create(NewTopic topic) throws InterruptedException {
    try {
      KafkaFutures.get(admin.createTopics(List.of(topic)).all());
      log.info("Made topic {} with {}", topic.name(), needs(topic));
    } catch (TopicExistsException e) {
      log.debug("Topic {} was made by somebody else meanwhile", topic.name());
    }
  }

  private static void check(TopicDescription found) {
    if (found.partitions().size() != 1) {
      throw new BrokerUnavailableException(
          "Topic %s has %d partitions and would lose the order of what it holds; the engine waits. Make it anew with one"
              .formatted(found.name(), found.partitions().size()),
          null);
    }
  }

  private void check(NewTopic topic) throws InterruptedException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
    Map<ConfigResource, Config> configs;
    try {
      configs = KafkaFutures.get(admin.describeConfigs(List.of(resource)).all());
    } catch (AuthorizationException e) {
      log.debug("Topic {} cannot be checked, DESCRIBE_CONFIGS is not allowed", topic.name());
      return;
    }
    check(topic, Objects.requireNonNull(configs.get(resource)));
  }

  private static void check(NewTopic topic, Config config) {
    for (String key : List.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.RETENTION_MS_CONFIG)) {
      String needed = topic.configs().get(key);
      String found = config.get(key).value();
      if (needed != null && !needed.equals(found)) {
        throw new BrokerUnavailableException(
            "Topic %s has %s=%s and would lose what it holds; the engine waits. Set it to %s"
                .formatted(topic.name(), key, found, needed),
            null);
      }
    }
  }

  private static String needs(NewTopic topic) {
    return "1 partition, " + topic.configs();
  }
}
