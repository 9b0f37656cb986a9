package dev.waybill.wire;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event as it travels: what the producer sends and the consumer receives. Arrays are shared, not
 * copied.
 *
 * @param topic a legal topic name
 * @param key UTF-8, decides the partition; null only in records of foreign producers
 * @param value the payload's bytes; null is a tombstone
 * @param headers in the order they are written
 * @param timestamp milliseconds since 1970 UTC: the commit time of the source transaction, or the
 *     time of publishing for repairs and redrives
 */
public record WireRecord(
    String topic,
    byte @Nullable [] key,
    byte @Nullable [] value,
    List<WireHeader> headers,
    long timestamp) {

  // Written out: of a compact constructor javac drops the annotation of `byte @Nullable []`.
  public WireRecord(
      String topic,
      byte @Nullable [] key,
      byte @Nullable [] value,
      List<WireHeader> headers,
      long timestamp) {
    this.topic = Objects.requireNonNull(topic, "topic");
    this.key = key;
    this.value = value;
    this.headers = List.copyOf(headers);
    this.timestamp = timestamp;
  }
}
