package dev.waybill.consumer;

import dev.waybill.consumer.ConsumerConfig.Pace;
import dev.waybill.consumer.poll.Partition;
import dev.waybill.consumer.poll.Polled;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/** The partitions that are ours now. Confined to the polling thread. */
final class Lanes {

  private final Map<Partition, Lane> open = new HashMap<>();
  private final Set<Partition> held = new HashSet<>();
  private final Pace pace;

  Lanes(Pace pace) {
    this.pace = pace;
  }

  void open(Set<Partition> partitions) {
    partitions.forEach(partition -> open.put(partition, new Lane(partition, System.nanoTime())));
  }

  /** The lanes of these partitions, which are ours no more and start nothing new. */
  List<Lane> end(Collection<Partition> partitions) {
    List<Lane> lanes = partitions.stream().map(open::remove).filter(Objects::nonNull).toList();
    lanes.forEach(Lane::end);
    held.removeAll(partitions);
    return lanes;
  }

  Set<Partition> partitions() {
    return Set.copyOf(open.keySet());
  }

  /**
   * Takes what was polled.
   *
   * @return the partitions that were set back, which have a new lane now: their log was cut by an
   *     unclean election, or the topic was deleted and made again
   */
  Set<Partition> add(Polled polled) {
    Set<Partition> setBack = new HashSet<>();
    polled
        .records()
        .forEach(
            (partition, records) ->
                ifOpen(
                    partition,
                    lane -> {
                      if (lane.isPast(records.get(0))) {
                        setBack.add(partition);
                      }
                    }));
    end(setBack);
    open(setBack);
    polled.records().forEach((partition, records) -> ifOpen(partition, l -> l.add(records)));
    polled.positions().forEach((partition, next) -> ifOpen(partition, l -> l.reached(next)));
    return setBack;
  }

  /** The lanes that want a worker now; they are claimed by this call. */
  List<Lane> start(long now) {
    List<Lane> started = new ArrayList<>();
    for (Lane lane : open.values()) {
      if (lane.tryStart(now)) {
        started.add(lane);
      }
    }
    return started;
  }

  /**
   * The partitions of which nothing more is to be read for now: those with a full queue until it is
   * half empty, and, while all queues together hold too many bytes, all that have something to do.
   */
  Set<Partition> held() {
    boolean heavy = open.values().stream().mapToLong(Lane::bytes).sum() >= pace.queuedBytes();
    for (Lane lane : open.values()) {
      int queued = lane.queued();
      if (queued >= pace.queuedEvents() || (heavy && queued > 0)) {
        held.add(lane.partition());
      } else if (queued <= pace.queuedEvents() / 2) {
        held.remove(lane.partition());
      }
    }
    return Set.copyOf(held);
  }

  boolean isHolding() {
    return !held.isEmpty();
  }

  /** How far each partition is done. */
  static Map<Partition, Long> committable(Collection<Lane> lanes) {
    Map<Partition, Long> offsets = new HashMap<>();
    for (Lane lane : lanes) {
      OptionalLong offset = lane.committable();
      if (offset.isPresent()) {
        offsets.put(lane.partition(), offset.getAsLong());
      }
    }
    return offsets;
  }

  Collection<Lane> all() {
    return open.values();
  }

  /** What was read of a partition that is not ours any more is the next owner's. */
  private void ifOpen(Partition partition, Consumer<Lane> action) {
    Lane lane = open.get(partition);
    if (lane != null) {
      action.accept(lane);
    }
  }
}
