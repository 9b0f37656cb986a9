package dev.waybill.engine.publish;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the progress that counts: of what {@code read_committed} readers see, the newest record of
 * the engine that came last. An engine that was frozen while another of its name took its place may
 * store one more batch's progress once it thaws, behind the newer ones; so each record says where
 * the topic ended when its writer had read it, and one whose writer had seen less does not count.
 * Compaction leaves what is needed: it takes nothing from the segment that is written to, where
 * such a record is, nor the last record before it.
 *
 * <p>Read backwards in growing steps up to the last record, since compaction leaves up to a segment
 * of old ones; and then from where the writer of that one began, since whoever came later wrote
 * behind that. A record without a value means that there is no progress (again). Confined to one
 * thread.
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

  /**
   * @param progress null if there is none
   * @param end where the topic ended
   */
  record Reading(@Nullable Progress progress, long end) {}

  /** See {@link Publisher#readProgress}. */
  Reading read() throws InterruptedException {
    try (Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties.consumer())) {
      consumer.assign(List.of(partition));
      long begin = offset(consumer.beginningOffsets(List.of(partition)));
      long end = offset(consumer.endOffsets(List.of(partition)));
      ConsumerRecord<byte[], byte[]> last = last(consumer, begin, end);
      return new Reading(last == null ? null : progress(consumer, begin, last), end);
    } catch (InterruptException e) {
      throw KafkaFutures.checked(e);
    } catch (KafkaException e) {
      throw new BrokerUnavailableException(
          "Progress cannot be read from %s: %s".formatted(partition, e.getMessage()), e);
    }
  }

  private @Nullable Progress progress(
      Consumer<byte[], byte[]> consumer, long begin, ConsumerRecord<byte[], byte[]> last) {
    if (last.value() == null) {
      return null;
    }
    long from = Math.max(begin, since(last));
    ConsumerRecord<byte[], byte[]> before =
        read(consumer, from, last.offset(), ProgressTopic::counting);
    ConsumerRecord<byte[], byte[]> counting = before == null ? last : counting(before, last);
    return ProgressFormat.read(
        counting.value(), "offset " + counting.offset() + " of " + partition);
  }

  private static ConsumerRecord<byte[], byte[]> counting(
      ConsumerRecord<byte[], byte[]> before, ConsumerRecord<byte[], byte[]> next) {
    boolean isTakenAway = before.value() == null || next.value() == null;
    return isTakenAway || since(next) >= since(before) ? next : before;
  }

  /** One that claims to have seen more than was there speaks of a former topic of this name. */
  private static long since(ConsumerRecord<byte[], byte[]> progress) {
    long since = ProgressFormat.since(progress.value());
    return since <= progress.offset() ? since : 0;
  }

  private @Nullable ConsumerRecord<byte[], byte[]> last(
      Consumer<byte[], byte[]> consumer, long begin, long end) {
    ConsumerRecord<byte[], byte[]> last = null;
    for (long step = FIRST_STEP, to = end; last == null && to > begin; step *= GROWTH) {
      long from = Math.max(begin, end - step);
      last = read(consumer, from, to, (before, next) -> next);
      to = from;
    }
    return last;
  }

  private long offset(Map<TopicPartition, Long> offsets) {
    return Objects.requireNonNull(offsets.get(partition));
  }

  /**
   * Reads up to {@code end}, where transactions that were aborted or are open leave no record.
   *
   * @return what {@code choice} leaves of all; null if there is none
   */
  private @Nullable ConsumerRecord<byte[], byte[]> read(
      Consumer<byte[], byte[]> consumer,
      long from,
      long end,
      BinaryOperator<ConsumerRecord<byte[], byte[]>> choice) {
    consumer.seek(partition, from);
    ConsumerRecord<byte[], byte[]> chosen = null;
    long deadline = System.nanoTime() + properties.apiTimeout().toNanos();
    while (consumer.position(partition) < end) {
      for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(100))) {
        chosen = chosen == null ? each : choice.apply(chosen, each);
        deadline = System.nanoTime() + properties.apiTimeout().toNanos();
      }
      if (System.nanoTime() - deadline > 0) {
        throw new BrokerUnavailableException(
            "Progress cannot be read from %s: it ends at %d, and nothing came behind %d"
                .formatted(partition, end, consumer.position(partition)),
            null);
      }
    }
    return chosen;
  }
}
