package dev.waybill.consumer;

import dev.waybill.consumer.Lane.Watch;
import dev.waybill.consumer.poll.Partition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports handlers that run too long, and again each time that has doubled. Confined to the polling
 * thread.
 */
final class StuckWatch {

  private static final Logger LOG = LoggerFactory.getLogger(EventConsumer.class);

  private final String group;
  private final Duration stuckAfter;
  private final Listeners listeners;
  private final Map<Partition, Report> reports = new HashMap<>();

  private record Report(long startedAt, Duration next) {}

  StuckWatch(String group, Duration stuckAfter, Listeners listeners) {
    this.group = group;
    this.stuckAfter = stuckAfter;
    this.listeners = listeners;
  }

  void look(Collection<Lane> lanes, long now) {
    for (Lane lane : lanes) {
      Watch watch = lane.watch();
      Report last = reports.get(lane.partition());
      if (watch == null) {
        reports.remove(lane.partition());
      } else {
        Duration limit =
            last != null && last.startedAt() == watch.startedAt() ? last.next() : stuckAfter;
        Duration running = Duration.ofNanos(now - watch.startedAt());
        if (running.compareTo(limit) >= 0) {
          reports.put(lane.partition(), new Report(watch.startedAt(), running.multipliedBy(2)));
          report(watch, running);
        }
      }
    }
  }

  private void report(Watch watch, Duration running) {
    Delivery delivery =
        new Delivery(
            group,
            watch.record().partition(),
            watch.record().offset(),
            Instant.ofEpochMilli(watch.record().record().timestamp()),
            null,
            watch.attempt(),
            running);
    LOG.warn(
        "Group {} has been handling the {} for {}; its partition waits, the others go on",
        group,
        delivery,
        running);
    listeners.stuck(delivery, running);
  }
}
