package dev.waybill.consumer.park;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * The topics that parked events go to: those that are there are checked, those that are not are
 * made. Parked events never expire and are never compacted: two of them may have one key. Safe for
 * many threads.
 */
final class ParkTopics {

  /** Otherwise a topic loses what it holds. */
  private static final Map<String, String> NEEDED =
      Map.of(
          TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE,
          TopicConfig.RETENTION_MS_CONFIG, "-1",
          TopicConfig.RETENTION_BYTES_CONFIG, "-1");

  private final ParkSettings settings;
  private final Set<String> ready = ConcurrentHashMap.newKeySet();
  private final Map<TopicPartition, Long> newest = new ConcurrentHashMap<>();

  ParkTopics(ParkSettings settings) {
    this.settings = settings;
  }

  /**
   * Returns once the topic is there and keeps what it gets. Asks the broker until that was so once.
   *
   * @param original whose number of partitions a new topic gets
   * @throws ParkFailedException if the topic would lose what it gets
   */
  void ensure(String topic, String original)
      throws ParkFailedException, ExecutionException, TimeoutException, InterruptedException {
    if (ready.contains(topic)) {
      return;
    }
    Admin admin = Admin.create(settings.admin());
    try {
      if (find(admin, topic) != null || !make(admin, topic, partitions(admin, original))) {
        check(admin, topic);
      }
    } finally {
      // Without a duration it would wait for calls that nobody waits for any more.
      admin.close(Duration.ZERO);
    }
    ready.add(topic);
  }

  /**
   * The broker has an event. Its offset tells whether the topic was deleted and made anew since the
   * one before: a broker that makes topics by itself does so with settings under which events
   * expire. Costs no request but then.
   *
   * @throws ParkFailedException if the topic was made anew and would lose what it gets
   */
  void wrote(TopicPartition partition, long offset, String original)
      throws ParkFailedException, ExecutionException, TimeoutException, InterruptedException {
    Long before = newest.put(partition, offset);
    if (before != null && offset <= before) {
      doubt(partition.topic());
      ensure(partition.topic(), original);
    }
  }

  /** Asks the broker again the next time: the topic may have been deleted. */
  void doubt(String topic) {
    ready.remove(topic);
  }

  private int partitions(Admin admin, String original)
      throws ExecutionException, TimeoutException, InterruptedException {
    TopicDescription found = find(admin, original);
    if (found == null) {
      throw new UnknownTopicOrPartitionException("Topic " + original + " is gone");
    }
    return found.partitions().size();
  }

  private @Nullable TopicDescription find(Admin admin, String topic)
      throws ExecutionException, TimeoutException, InterruptedException {
    try {
      return get(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return null;
      }
      throw e;
    }
  }

  /** Whether it was not there. */
  private boolean make(Admin admin, String topic, int partitions)
      throws ExecutionException, TimeoutException, InterruptedException {
    Map<String, String> configs = new HashMap<>(NEEDED);
    configs.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(ParkSettings.MAX_BYTES));
    NewTopic wanted = new NewTopic(topic, Optional.of(partitions), Optional.empty());
    try {
      get(admin.createTopics(List.of(wanted.configs(configs))).all());
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TopicExistsException) {
        return false;
      }
      throw e;
    }
  }

  /** Who may not see the settings of a topic has to trust whoever made it. */
  private void check(Admin admin, String topic)
      throws ParkFailedException, ExecutionException, TimeoutException, InterruptedException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try {
      check(
          topic, requireNonNull(get(admin.describeConfigs(List.of(resource)).all()).get(resource)));
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof AuthorizationException)) {
        throw e;
      }
    }
  }

  private static void check(String topic, Config found) throws ParkFailedException {
    for (Map.Entry<String, String> needed : NEEDED.entrySet()) {
      String value = found.get(needed.getKey()).value();
      if (!needed.getValue().equals(value)) {
        throw new ParkFailedException(
            "Topic %s has %s=%s and would lose what is parked there; what is to be parked waits until it is %s"
                .formatted(topic, needed.getKey(), value, needed.getValue()),
            null);
      }
    }
  }

  private <T> T get(KafkaFuture<T> future)
      throws ExecutionException, TimeoutException, InterruptedException {
    return future.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
  }
}
