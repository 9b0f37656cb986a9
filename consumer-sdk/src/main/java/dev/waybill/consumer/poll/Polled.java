package dev.waybill.consumer.poll;

import java.util.List;
import java.util.Map;

/**
 * What one poll brought.
 *
 * @param records by partition, each list in the order of offsets and not empty
 * @param positions the offset that is read next, for the partitions that moved; beyond the last
 *     record where transaction markers or aborted records follow it
 */
public record Polled(Map<Partition, List<PolledRecord>> records, Map<Partition, Long> positions) {

  public Polled {
    records = Map.copyOf(records);
    positions = Map.copyOf(positions);
  }
}
