package dev.waybill.it.world;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** A record as a reader of the topics sees it. */
public final class Published {

  private final ConsumerRecord<byte[], byte[]> record;

  Published(ConsumerRecord<byte[], byte[]> record) {
    this.record = record;
  }

  public String topic() {
    return record.topic();
  }

  public int partition() {
    return record.partition();
  }

  public long timestamp() {
    return record.timestamp();
  }

  public byte @Nullable [] key() {
    return record.key();
  }

  public String keyText() {
    return record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
  }

  public byte @Nullable [] value() {
    return record.value();
  }

  public String text() {
    return record.value() == null ? "" : new String(record.value(), StandardCharsets.UTF_8);
  }

  public String id() {
    String id = header("ce_id");
    if (id == null) {
      throw new AssertionError("a record without ce_id: " + this);
    }
    return id;
  }

  /** The last header of that name as text. */
  public @Nullable String header(String name) {
    var header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
  }

  public byte @Nullable [] headerBytes(String name) {
    var header = record.headers().lastHeader(name);
    return header == null ? null : header.value();
  }

  public List<String> headerNames() {
    return Arrays.stream(record.headers().toArray()).map(header -> header.key()).toList();
  }

  /** Whether both are the same event to whoever consumes it: all but the offset and the time. */
  public boolean isCopyOf(Published other) {
    return topic().equals(other.topic())
        && partition() == other.partition()
        && Arrays.equals(key(), other.key())
        && Arrays.equals(value(), other.value())
        && Arrays.equals(record.headers().toArray(), other.record.headers().toArray());
  }

  @Override
  public String toString() {
    return record.toString();
  }
}
