package dev.waybill.engine.publish;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records to be sent in this order, and which of them are in Kafka. A record that the broker
 * refuses is replaced by its parked one, or ends the batch. Confined to the publishing thread.
 */
final class Batch {

  private final List<Outgoing> records;
  private final Set<Outgoing> acknowledged = Collections.newSetFromMap(new IdentityHashMap<>());
  private @Nullable UnpublishableException end;
  private boolean oneByOne;

  Batch(List<Outgoing> records, @Nullable UnpublishableException end) {
    this.records = new ArrayList<>(records);
    this.end = end;
  }

  /** What is to be sent next, together; nothing once all is in Kafka. */
  List<Outgoing> next() {
    return records.stream()
        .filter(outgoing -> !acknowledged.contains(outgoing))
        .limit(oneByOne ? 1 : records.size())
        .toList();
  }

  void acknowledged(Collection<Outgoing> those) {
    acknowledged.addAll(those);
  }

  /** From now on one record is sent at a time, so that it is plain which one is refused. */
  void sendOneByOne() {
    oneByOne = true;
  }

  void replace(Outgoing refused, Outgoing parked) {
    records.set(records.indexOf(refused), parked);
  }

  /** Neither this record nor what is behind it is sent any more. */
  void endBefore(Outgoing refused, UnpublishableException reason) {
    int place = records.indexOf(refused);
    if (place >= 0) {
      records.subList(place, records.size()).clear();
      end = reason;
    }
  }

  List<Outgoing> records() {
    return Collections.unmodifiableList(records);
  }

  /** What to stop with once the records are in Kafka; null to go on. */
  @Nullable UnpublishableException end() {
    return end;
  }
}
