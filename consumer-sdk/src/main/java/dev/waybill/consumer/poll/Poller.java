package dev.waybill.consumer.poll;

import dev.waybill.wire.WireHeader;
import dev.waybill.wire.WireRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Header;

/**
 * The membership in the consumer group. Confined to one thread, which must call {@link #poll} all
 * the time: whoever does not poll loses its partitions.
 */
public final class Poller implements AutoCloseable {

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Duration closeTimeout;

  /**
   * Joins the group with the next {@link #poll}.
   *
   * @throws PollFailedException if the broker's address cannot be resolved, or the settings are
   *     wrong
   */
  public Poller(Subscription subscription, Assignments assignments, Duration closeTimeout) {
    this.closeTimeout = closeTimeout;
    try {
      this.consumer = new KafkaConsumer<>(subscription.complete());
    } catch (KafkaException e) {
      throw new PollFailedException("No Kafka consumer could be made: " + deepest(e), e);
    }
    consumer.subscribe(subscription.topics(), new Rebalances(this, assignments));
  }

  /**
   * Takes what has arrived, waiting for up to {@code timeout} if nothing has. Partitions come and
   * go only in here.
   *
   * @throws PollFailedException if this consumer cannot go on
   */
  public Polled poll(Duration timeout) throws InterruptedException {
    try {
      return polled(consumer.poll(timeout));
    } catch (InterruptException e) {
      throw interrupted(e);
    } catch (KafkaException e) {
      throw new PollFailedException("Polling failed: " + deepest(e), e);
    }
  }

  /**
   * Reads nothing of exactly these partitions until told otherwise, and stays a member.
   *
   * @param ours the partitions that came and did not go
   * @throws PollFailedException if this consumer cannot go on
   */
  public void hold(Set<Partition> held, Set<Partition> ours) {
    try {
      Set<TopicPartition> paused = consumer.paused();
      Set<TopicPartition> assigned = kafkas(ours);
      assigned.retainAll(consumer.assignment());
      Set<TopicPartition> wanted = kafkas(held);
      pause(assigned.stream().filter(p -> wanted.contains(p) && !paused.contains(p)).toList());
      resume(assigned.stream().filter(p -> paused.contains(p) && !wanted.contains(p)).toList());
    } catch (KafkaException | IllegalStateException e) {
      // With KIP-848 a partition may go between the question and the call.
      throw new PollFailedException("Partitions were not held: " + deepest(e), e);
    }
  }

  private void pause(List<TopicPartition> partitions) {
    if (!partitions.isEmpty()) {
      consumer.pause(partitions);
    }
  }

  private void resume(List<TopicPartition> partitions) {
    if (!partitions.isEmpty()) {
      consumer.resume(partitions);
    }
  }

  /**
   * Commits without waiting.
   *
   * @param offsets the offset to go on from, by partition
   * @param failed called by a later {@link #poll}, if it did not work out; to be tried again then
   * @throws PollFailedException if this consumer cannot go on
   */
  public void commitLater(Map<Partition, Long> offsets, Consumer<Throwable> failed) {
    try {
      consumer.commitAsync(
          kafkas(offsets),
          (committed, failure) -> {
            if (failure != null) {
              failed.accept(failure);
            }
          });
    } catch (KafkaException e) {
      throw new PollFailedException("Offsets " + offsets + " were not committed: " + deepest(e), e);
    }
  }

  /**
   * Commits and waits for the broker.
   *
   * @throws PollFailedException if it did not work out, such as when the partitions are somebody
   *     else's by now
   */
  public void commitNow(Map<Partition, Long> offsets, Duration timeout) {
    try {
      consumer.commitSync(kafkas(offsets), timeout);
    } catch (KafkaException e) {
      throw new PollFailedException("Offsets " + offsets + " were not committed: " + deepest(e), e);
    }
  }

  /**
   * Leaves the group. What is assigned is revoked first.
   *
   * @throws PollFailedException if the broker was not told; it will find out
   */
  @Override
  public void close() {
    try {
      consumer.close(CloseOptions.timeout(closeTimeout));
    } catch (KafkaException e) {
      throw new PollFailedException("The group was not left: " + deepest(e), e);
    }
  }

  private static Polled polled(ConsumerRecords<byte[], byte[]> records) {
    Map<Partition, List<PolledRecord>> byPartition = new LinkedHashMap<>();
    for (TopicPartition partition : records.partitions()) {
      Partition ours = ours(partition);
      List<PolledRecord> list = new ArrayList<>();
      records.records(partition).forEach(record -> list.add(polled(ours, record)));
      byPartition.put(ours, list);
    }
    Map<Partition, Long> positions = new HashMap<>();
    records
        .nextOffsets()
        .forEach((partition, position) -> positions.put(ours(partition), position.offset()));
    return new Polled(byPartition, positions);
  }

  private static PolledRecord polled(Partition partition, ConsumerRecord<byte[], byte[]> record) {
    List<WireHeader> headers = new ArrayList<>();
    int bytes = Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
    for (Header header : record.headers()) {
      headers.add(new WireHeader(header.key(), header.value()));
      bytes += header.key().length() + (header.value() == null ? 0 : header.value().length);
    }
    return new PolledRecord(
        partition,
        record.offset(),
        new WireRecord(record.topic(), record.key(), record.value(), headers, record.timestamp()),
        bytes);
  }

  private static Map<TopicPartition, OffsetAndMetadata> kafkas(Map<Partition, Long> offsets) {
    return offsets.entrySet().stream()
        .collect(
            Collectors.toMap(
                entry -> kafkas(entry.getKey()), entry -> new OffsetAndMetadata(entry.getValue())));
  }

  private static Set<TopicPartition> kafkas(Set<Partition> partitions) {
    return partitions.stream().map(Poller::kafkas).collect(Collectors.toCollection(HashSet::new));
  }

  private static TopicPartition kafkas(Partition partition) {
    return new TopicPartition(partition.topic(), partition.number());
  }

  private static Partition ours(TopicPartition partition) {
    return new Partition(partition.topic(), partition.partition());
  }

  private static InterruptedException interrupted(InterruptException e) {
    // Kafka's exception has set the flag; ours stands for it.
    Thread.interrupted();
    InterruptedException interrupted = new InterruptedException(e.getMessage());
    interrupted.initCause(e);
    return interrupted;
  }

  private static String deepest(Throwable failure) {
    Throwable deepest = failure;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return deepest.getMessage() == null ? deepest.toString() : deepest.getMessage();
  }

  /** Speaks of partitions in our terms. */
  private record Rebalances(Poller poller, Assignments assignments)
      implements ConsumerRebalanceListener {

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      assignments.assigned(ours(partitions));
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      assignments.revoked(poller, ours(partitions));
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      assignments.lost(ours(partitions));
    }

    private static Set<Partition> ours(Collection<TopicPartition> partitions) {
      return partitions.stream().map(Poller::ours).collect(Collectors.toSet());
    }
  }
}
