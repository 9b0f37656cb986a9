package dev.waybill.engine.publish;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/**
 * The one producer of a publisher. Another takes its place only when all that it was given is in
 * Kafka or given up, so that two never send at a time. Safe for many threads.
 */
final class CurrentProducer {

  private final Supplier<Producer<byte[], byte[]>> producers;
  private Producer<byte[], byte[]> producer;
  private boolean closed;

  /**
   * @throws KafkaException if the first producer cannot be made
   */
  CurrentProducer(Supplier<Producer<byte[], byte[]>> producers) {
    this.producers = producers;
    this.producer = producers.get();
  }

  synchronized Producer<byte[], byte[]> get() {
    return producer;
  }

  /** After {@link #close} everything stays closed. */
  synchronized void replace() {
    closeNow(producer);
    if (!closed) {
      producer = producers.get();
    }
  }

  /** Gives up what is being sent. Idempotent. */
  synchronized void close() {
    closed = true;
    closeNow(producer);
  }

  /** An interrupted thread closes all the same and stays interrupted. */
  private static void closeNow(Producer<byte[], byte[]> producer) {
    boolean interrupted = Thread.interrupted();
    try {
      producer.close(Duration.ZERO);
    } catch (KafkaException e) {
      // It is given up either way; what matters was reported where it happened.
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
