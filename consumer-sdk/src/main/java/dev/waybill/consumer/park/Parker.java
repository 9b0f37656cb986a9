package dev.waybill.consumer.park;

import dev.waybill.wire.WireHeader;
import dev.waybill.wire.WireRecord;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Writes parked events to {@code <topic>.<group>.parked}, which is made when it is first needed.
 * Connects to the broker only then. Safe for many threads.
 */
public final class Parker implements AutoCloseable {

  private final String group;
  private final ParkSettings settings;
  private final Clock clock;
  private final Set<String> existing = ConcurrentHashMap.newKeySet();
  private @Nullable Producer<byte[], byte[]> producer;

  public Parker(String group, ParkSettings settings, Clock clock) {
    this.group = group;
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * Returns once the broker has the event in all its replicas. The partition is chosen by the key,
   * so that the events of a key stay in order.
   *
   * @throws ParkFailedException if it is not certain that the broker has it
   */
  public void park(ParkedEvent parked) throws ParkFailedException, InterruptedException {
    WireRecord record = ParkedEncoder.encode(parked, group, clock.instant());
    try {
      ensureExists(record.topic(), parked.polled().record().topic());
      Duration timeout = settings.timeout();
      producer().send(kafkas(record)).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
      throw new ParkFailedException(
          "Offset %d of %s could not be parked to %s: %s"
              .formatted(
                  parked.polled().offset(), parked.polled().partition(), record.topic(), cause),
          cause);
    }
  }

  /** Idempotent. What is on its way is given up: {@link #park} waits for its own. */
  @Override
  public synchronized void close() {
    if (producer != null) {
      producer.close(Duration.ZERO);
      producer = null;
    }
  }

  private synchronized Producer<byte[], byte[]> producer() {
    if (producer == null) {
      producer = new KafkaProducer<>(settings.producer());
    }
    return producer;
  }

  private void ensureExists(String topic, String original)
      throws ExecutionException, TimeoutException, InterruptedException {
    if (existing.contains(topic)) {
      return;
    }
    Admin admin = Admin.create(settings.admin());
    try {
      create(admin, topic, partitions(admin, original));
    } finally {
      // Without a duration it would wait for calls that nobody waits for any more.
      admin.close(Duration.ZERO);
    }
    existing.add(topic);
  }

  private int partitions(Admin admin, String topic)
      throws ExecutionException, TimeoutException, InterruptedException {
    return admin
        .describeTopics(List.of(topic))
        .allTopicNames()
        .get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS)
        .values()
        .stream()
        .mapToInt(description -> description.partitions().size())
        .sum();
  }

  private void create(Admin admin, String topic, int partitions)
      throws ExecutionException, TimeoutException, InterruptedException {
    NewTopic forever =
        new NewTopic(topic, Optional.of(partitions), Optional.empty())
            .configs(
                Map.of(
                    TopicConfig.CLEANUP_POLICY_CONFIG,
                    TopicConfig.CLEANUP_POLICY_DELETE,
                    TopicConfig.RETENTION_MS_CONFIG,
                    "-1",
                    TopicConfig.RETENTION_BYTES_CONFIG,
                    "-1",
                    TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                    Integer.toString(ParkSettings.MAX_BYTES)));
    try {
      admin
          .createTopics(List.of(forever))
          .all()
          .get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
    }
  }

  private static ProducerRecord<byte[], byte[]> kafkas(WireRecord record) {
    List<Header> headers = new ArrayList<>();
    for (WireHeader header : record.headers()) {
      headers.add(new RecordHeader(header.name(), header.value()));
    }
    return new ProducerRecord<>(
        record.topic(), null, record.timestamp(), record.key(), record.value(), headers);
  }
}
