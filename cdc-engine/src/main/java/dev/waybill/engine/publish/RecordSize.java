package dev.waybill.engine.publish;

import dev.waybill.wire.WireHeader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How large a record is alone in a batch, as the Kafka client reckons before it sends and the
 * broker when it takes it: the batch's header, the record's own and varint lengths, as in
 * DefaultRecordBatch.estimateBatchSizeUpperBound of the Kafka client (its class is internal). At
 * most a few bytes too large.
 */
final class RecordSize {

  private static final int BATCH_OVERHEAD = 61;
  private static final int MAX_RECORD_OVERHEAD = 21;
  private static final int MAX_VARINT = 5;

  private RecordSize() {}

  static int of(byte @Nullable [] key, byte @Nullable [] value, List<WireHeader> headers) {
    long size = BATCH_OVERHEAD + MAX_RECORD_OVERHEAD + MAX_VARINT + length(key) + length(value);
    for (WireHeader header : headers) {
      size += MAX_VARINT + utf8Length(header.name()) + length(header.value());
    }
    return (int) Math.min(size, Integer.MAX_VALUE);
  }

  private static long length(byte @Nullable [] bytes) {
    return bytes == null ? 1 : bytes.length + (long) varint(bytes.length);
  }

  /** The bytes that Kafka's zig-zag varint takes for a length. */
  private static int varint(int length) {
    return length < 64 ? 1 : length < 8_192 ? 2 : length < 1_048_576 ? 3 : MAX_VARINT;
  }

  private static int utf8Length(String text) {
    int length = text.length();
    for (int i = 0; i < text.length(); i++) {
      length += text.charAt(i) < 0x80 ? 0 : text.charAt(i) < 0x800 ? 1 : 2;
    }
    return length;
  }
}
