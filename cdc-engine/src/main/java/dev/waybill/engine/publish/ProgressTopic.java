package dev.waybill.engine.publish;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the newest progress record: what {@code read_committed} readers see at the end of the log.
 * Read backwards in growing steps, since compaction leaves up to a segment of old ones. A record
 * without a value means that there is no progress (again). Confined to one thread.
 */
final class ProgressTopic {

  private static final long FIRST_STEP = 16;
  private static final long GROWTH = 64;

  private final TopicPartition partition;
  private final KafkaProperties properties;

  ProgressTopic(String topic, KafkaProperties properties) {
    this.partition = new TopicPartition(topic, 0);
    this.properties = properties;
  }

  /** See {@link Publisher#readProgress}. */
  @Nullable Progress read() throws InterruptedException {
    try (Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties.consumer())) {
      consumer.assign(List.of(partition));
      ConsumerRecord<byte[], byte[]> newest = newest(consumer);
      return newest == null || newest.value() == null
          ? null
          : ProgressFormat.read(newest.value(), "offset " + newest.offset() + " of " + partition);
    } catch (InterruptException e) {
      throw KafkaFutures.checked(e);
    } catch (KafkaException e) {
      throw new BrokerUnavailableException(
          "Progress cannot be read from %s: %s".formatted(partition, e.getMessage()), e);
    }
  }

  private @Nullable ConsumerRecord<byte[], byte[]> newest(Consumer<byte[], byte[]> consumer) {
    long begin = offset(consumer.beginningOffsets(List.of(partition)));
    long end = offset(consumer.endOffsets(List.of(partition)));
    ConsumerRecord<byte[], byte[]> newest = null;
    for (long step = FIRST_STEP, to = end; newest == null && to > begin; step *= GROWTH) {
      long from = Math.max(begin, end - step);
      newest = newest(consumer, from, to);
      to = from;
    }
    return newest;
  }

  private long offset(Map<TopicPartition, Long> offsets) {
    return Objects.requireNonNull(offsets.get(partition));
  }

  /** Reads up to {@code end}, where transactions that were aborted or are open leave no record. */
  private @Nullable ConsumerRecord<byte[], byte[]> newest(
      Consumer<byte[], byte[]> consumer, long from, long end) {
    consumer.seek(partition, from);
    ConsumerRecord<byte[], byte[]> newest = null;
    long deadline = System.nanoTime() + properties.apiTimeout().toNanos();
    while (consumer.position(partition) < end) {
      for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(100))) {
        newest = each;
        deadline = System.nanoTime() + properties.apiTimeout().toNanos();
      }
      if (System.nanoTime() - deadline > 0) {
        throw new BrokerUnavailableException(
            "Progress cannot be read from %s: it ends at %d, and nothing came behind %d"
                .formatted(partition, end, consumer.position(partition)),
            null);
      }
    }
    return newest;
  }
}
