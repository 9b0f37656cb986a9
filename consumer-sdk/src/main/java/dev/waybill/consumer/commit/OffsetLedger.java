package dev.waybill.consumer.commit;

import dev.waybill.consumer.poll.Partition;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Remembers what was sent to the broker, so that it is sent once. Confined to the thread that
 * polls.
 */
public final class OffsetLedger {

  private final Map<Partition, Long> sent = new HashMap<>();

  /**
   * What is to be committed now; counts as sent from now on.
   *
   * @param completed how far each partition is done
   */
  public Map<Partition, Long> due(Map<Partition, Long> completed) {
    Map<Partition, Long> due = new HashMap<>();
    completed.forEach(
        (partition, offset) -> {
          if (!offset.equals(sent.put(partition, offset))) {
            due.put(partition, offset);
          }
        });
    return due;
  }

  /** Sends these again: the broker did not take them, or the partitions are not ours any more. */
  public void forget(Collection<Partition> partitions) {
    sent.keySet().removeAll(partitions);
  }
}
