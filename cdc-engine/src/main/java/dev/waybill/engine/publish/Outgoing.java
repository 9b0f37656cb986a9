package dev.waybill.engine.publish;

import dev.waybill.engine.capture.Change;
import dev.waybill.engine.capture.OutboxRow;
import dev.waybill.wire.WireHeader;
import dev.waybill.wire.WireRecord;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A record on its way to Kafka, and what it is for. Immutable, the arrays are the row's own.
 *
 * @param change null for the progress record
 * @param size in bytes, see {@link RecordSize}
 * @param parkedReason why the event is parked; null if it is published
 */
record Outgoing(
    @Nullable Change change, WireRecord record, int size, @Nullable String parkedReason) {

  static Outgoing of(@Nullable Change change, WireRecord record, @Nullable String parkedReason) {
    int size = RecordSize.of(record.key(), record.value(), record.headers());
    return new Outgoing(change, record, size, parkedReason);
  }

  ProducerRecord<byte[], byte[]> toKafka() {
    List<Header> headers = new ArrayList<>(record.headers().size());
    for (WireHeader header : record.headers()) {
      headers.add(new KafkaHeader(header.name(), header.value()));
    }
    return new ProducerRecord<>(
        record.topic(), null, record.timestamp(), record.key(), record.value(), headers);
  }

  private record KafkaHeader(String key, byte @Nullable [] value) implements Header {}

  /** Neither parked nor progress. */
  boolean isEvent() {
    return change != null && parkedReason == null;
  }

  /** Who this is, for messages. */
  String name() {
    return change == null ? "the progress record" : nameOf(change);
  }

  static String nameOf(Change change) {
    OutboxRow row = change.row();
    return "event %s (row %s of %s)".formatted(row.eventId(), row.id(), change.table());
  }
}
