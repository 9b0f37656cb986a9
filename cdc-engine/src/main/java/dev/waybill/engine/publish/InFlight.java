package dev.waybill.engine.publish;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
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

  /** The first record that was not acknowledged. */
  record Failure(Outgoing outgoing, Exception cause) {}

  private final Producer<byte[], byte[]> producer;
  private final OwnOffsets ownOffsets;
  private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();
  private final AtomicInteger acknowledged = new AtomicInteger();

  InFlight(Producer<byte[], byte[]> producer, OwnOffsets ownOffsets) {
    this.producer = producer;
    this.ownOffsets = ownOffsets;
  }

  /** Hands the records over in their order; stops at the first that is known to have failed. */
  void send(List<Outgoing> records) {
    for (Outgoing outgoing : records) {
      if (failure.get() != null) {
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
      acknowledged.incrementAndGet();
    }
  }

  private void failed(Outgoing outgoing, Exception e) {
    if (failure.compareAndSet(null, new Failure(outgoing, e))) {
      producer.close(Duration.ZERO);
    }
  }

  /**
   * Waits until every record is acknowledged or given up.
   *
   * @return null if all {@code records} are acknowledged
   */
  @Nullable Failure await(int records) {
    if (failure.get() == null) {
      producer.flush();
    }
    Failure first = failure.get();
    if (first == null && acknowledged.get() != records) {
      throw new IllegalStateException(
          "Of %d records %d are acknowledged and none has failed"
              .formatted(records, acknowledged.get()));
    }
    return first;
  }
}
