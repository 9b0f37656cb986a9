package dev.waybill.engine.publish;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * Records that were sent together. The first failure closes the producer from within its own
 * thread, before anything else is sent: a later event of the same key must not get into Kafka ahead
 * of the one that failed. Nothing else is on the way to the broker at that moment, since one
 * request is in flight at a time. The sequence numbers of the idempotent producer would not do: a
 * broker that knows nothing of a producer yet takes its first batch whatever number that has. Seen
 * on Kafka 4.3.1, in a topic that was just made: the first request was refused
 * (NOT_LEADER_OR_FOLLOWER), the second, on its way already, was taken, and the first was then out
 * of order until its time was up. A request holds the batches of all partitions of a broker, so
 * that one in flight costs little.
 *
 * <p>{@link #send} and {@link #await} are confined to the publishing thread; acknowledgements come
 * on the producer's.
 */
final class InFlight {

  /** A record that was not acknowledged. */
  record Failure(Outgoing outgoing, Exception cause) {

    /** Whether the broker would say the same again, however often it is asked. */
    private boolean isRefusal() {
      return cause instanceof InvalidRecordException
          || cause instanceof InvalidTimestampException
          || cause instanceof RecordTooLargeException
          || cause instanceof RecordBatchTooLargeException;
    }
  }

  private final Producer<byte[], byte[]> producer;
  private final OwnOffsets ownOffsets;
  private final Queue<Outgoing> acknowledged = new ConcurrentLinkedQueue<>();
  private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  InFlight(Producer<byte[], byte[]> producer, OwnOffsets ownOffsets) {
    this.producer = producer;
    this.ownOffsets = ownOffsets;
  }

  /** Hands the records over in their order; stops at the first that is known to have failed. */
  void send(List<Outgoing> records) {
    for (Outgoing outgoing : records) {
      if (!failures.isEmpty()) {
        return;
      }
      send(outgoing);
    }
  }

  private void send(Outgoing outgoing) {
    try {
      // The callback hears everything that the future would tell.
      var unused =
          producer.send(outgoing.toKafka(), (metadata, e) -> completed(outgoing, metadata, e));
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException | IllegalStateException e) {
      // The producer may have been closed by the callback of an earlier record: that one counts.
      failed(outgoing, e);
    }
  }

  private void completed(
      Outgoing outgoing, @Nullable RecordMetadata metadata, @Nullable Exception e) {
    if (e != null) {
      failed(outgoing, e);
    } else if (metadata != null) {
      ownOffsets.acknowledged(metadata.topic(), metadata.offset());
      acknowledged.add(outgoing);
    }
  }

  private void failed(Outgoing outgoing, Exception e) {
    failures.add(new Failure(outgoing, e));
    if (closed.compareAndSet(false, true)) {
      producer.close(Duration.ZERO);
    }
  }

  /**
   * Waits until every record is acknowledged or given up.
   *
   * @return the first failure; null if all {@code records} are acknowledged
   */
  @Nullable Failure await(int records) {
    producer.flush();
    Failure first = failures.peek();
    if (first == null && acknowledged.size() != records) {
      throw new IllegalStateException(
          "Of %d records %d are acknowledged and none has failed"
              .formatted(records, acknowledged.size()));
    }
    return first;
  }

  /** What is in Kafka for certain; all of it after {@link #await}. */
  Collection<Outgoing> acknowledged() {
    return Collections.unmodifiableCollection(acknowledged);
  }

  /**
   * What the broker refuses for good, each for itself. It takes or refuses the records of one
   * request and partition together: those beside a refused one fail with it, as something else.
   */
  List<Failure> refused() {
    IdentityHashMap<Exception, Integer> records = recordsPerCause();
    return failures.stream()
        .filter(failure -> failure.isRefusal() && records.getOrDefault(failure.cause(), 0) == 1)
        .toList();
  }

  /** Whether records were refused together, and nobody said which of them is to blame. */
  boolean isRefusedTogether() {
    IdentityHashMap<Exception, Integer> records = recordsPerCause();
    return failures.stream()
        .anyMatch(failure -> failure.isRefusal() && records.getOrDefault(failure.cause(), 0) > 1);
  }

  /** Where the broker names no record, the producer hands one exception to all. */
  private IdentityHashMap<Exception, Integer> recordsPerCause() {
    IdentityHashMap<Exception, Integer> records = new IdentityHashMap<>();
    failures.forEach(failure -> records.merge(failure.cause(), 1, Integer::sum));
    return records;
  }
}
