package dev.waybill.consumer;

import dev.waybill.consumer.poll.Partition;
import dev.waybill.event.Event;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one event.
 *
 * @param group the consumer group
 * @param partition where the event was read
 * @param offset where in the partition
 * @param publishedAt the record's time: normally the commit time of the source transaction
 * @param event null if the record is no event
 * @param attempt from 1, counted for this offset since the partition was assigned
 * @param took how long the attempt took, the transaction and parking included
 */
public record Delivery(
    String group,
    Partition partition,
    long offset,
    Instant publishedAt,
    @Nullable Event event,
    int attempt,
    Duration took) {

  /** For people and logs. */
  @Override
  public String toString() {
    String what = event == null ? "record" : "event " + event.id() + " (" + event.type() + ")";
    return what + " at offset " + offset + " of " + partition;
  }
}
