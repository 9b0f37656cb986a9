package dev.waybill.consumer.park;

import dev.waybill.wire.WireHeader;
import dev.waybill.wire.WireRecord;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Writes parked events to {@code <topic>.<group>.parked}, which is made when it is first needed and
 * checked if it is there. Connects to the broker only then. Safe for many threads.
 */
public final class Parker implements AutoCloseable {

  private final String group;
  private final ParkSettings settings;
  private final Clock clock;
  private final ParkTopics topics;
  private @Nullable Producer<byte[], byte[]> producer;
  private boolean closed;

  public Parker(String group, ParkSettings settings, Clock clock) {
    this.group = group;
    this.settings = settings;
    this.clock = clock;
    this.topics = new ParkTopics(settings);
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
      String original = parked.polled().record().topic();
      topics.ensure(record.topic(), original);
      RecordMetadata written =
          producer().send(kafkas(record)).get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
      topics.wrote(
          new TopicPartition(written.topic(), written.partition()), written.offset(), original);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      topics.doubt(record.topic());
      Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
      throw new ParkFailedException(
          "Offset %d of %s could not be parked to %s: %s%s"
              .formatted(
                  parked.polled().offset(),
                  parked.polled().partition(),
                  record.topic(),
                  cause,
                  remedy(cause)),
          cause);
    }
  }

  private static String remedy(Throwable cause) {
    return cause instanceof AuthorizationException
        ? "; allow DESCRIBE and WRITE on that topic, and CREATE unless it is there"
        : "";
  }

  /** Idempotent. What is on its way is given up: {@link #park} waits for its own. */
  @Override
  public synchronized void close() {
    closed = true;
    if (producer != null) {
      producer.close(Duration.ZERO);
      producer = null;
    }
  }

  private synchronized Producer<byte[], byte[]> producer() throws ParkFailedException {
    if (closed) {
      throw new ParkFailedException("Group " + group + " parks nothing more, it has closed", null);
    }
    if (producer == null) {
      producer = new KafkaProducer<>(settings.producer());
    }
    return producer;
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
