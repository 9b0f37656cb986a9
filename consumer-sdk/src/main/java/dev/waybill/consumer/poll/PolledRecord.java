package dev.waybill.consumer.poll;

import dev.waybill.wire.WireRecord;
import java.util.Objects;

/**
 * A record and where it was read.
 *
 * @param bytes of key, value and headers together, about what it holds of the heap
 */
public record PolledRecord(Partition partition, long offset, WireRecord record, int bytes) {

  public PolledRecord {
    Objects.requireNonNull(partition, "partition");
    Objects.requireNonNull(record, "record");
  }
}
