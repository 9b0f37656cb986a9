package dev.waybill.consumer;

import dev.waybill.consumer.EventProcessor.Processed;
import dev.waybill.consumer.handle.Outcome;
import dev.waybill.consumer.handle.ParkReason;
import dev.waybill.consumer.poll.PolledRecord;
import dev.waybill.event.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads that handlers run on. Safe for many threads. */
final class Workers {

  private static final Logger LOG = LoggerFactory.getLogger(EventConsumer.class);

  /** So that a busy partition lets others have the worker now and then. */
  private static final int EVENTS_IN_A_ROW = 64;

  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(2);

  private static final Duration AFTER_A_DEFECT = Duration.ofSeconds(5);

  private final String group;
  private final EventProcessor processor;
  private final Listeners listeners;
  private final ExecutorService threads;

  Workers(
      String group,
      int count,
      ThreadFactory factory,
      EventProcessor processor,
      Listeners listeners) {
    this.group = group;
    this.processor = processor;
    this.listeners = listeners;
    this.threads = Executors.newFixedThreadPool(count, factory);
  }

  /** Works off a lane that was claimed. */
  void run(Lane lane) {
    try {
      threads.execute(() -> workOff(lane));
    } catch (RejectedExecutionException closed) {
      lane.backOff(Duration.ZERO, System.nanoTime());
    }
  }

  /** Nothing new begins, and what runs is interrupted; it gets a moment to end. */
  void stop() throws InterruptedException {
    threads.shutdownNow();
    if (!threads.awaitTermination(AFTER_INTERRUPT.toMillis(), TimeUnit.MILLISECONDS)) {
      LOG.warn("A handler of group {} does not heed its interrupt and is left alone", group);
    }
  }

  private void workOff(Lane lane) {
    for (int i = 0; i < EVENTS_IN_A_ROW; i++) {
      PolledRecord record = lane.next(System.nanoTime());
      if (record == null || !isDone(lane, record)) {
        return;
      }
    }
    run(lane);
  }

  /** Whether the lane may go on to its next event. If not, it was set free. */
  private boolean isDone(Lane lane, PolledRecord record) {
    if (!threads.isShutdown()) {
      // A handler may have left its interrupt flag behind.
      Thread.interrupted();
    }
    long startedAt = System.nanoTime();
    int attempt = lane.attempts().current();
    try {
      Processed processed = processor.process(record, lane.attempts(), lane::isEnded);
      Outcome outcome = processed.outcome().orElse(null);
      if (outcome != null) {
        Delivery delivery = delivery(record, processed.event(), attempt, startedAt);
        log(delivery, outcome);
        listeners.outcome(delivery, outcome);
        return conclude(lane, record, outcome);
      }
      lane.backOff(Duration.ZERO, System.nanoTime());
    } catch (InterruptedException e) {
      lane.backOff(Duration.ZERO, System.nanoTime());
    } catch (Throwable defect) {
      LOG.error(
          "A defect at offset {} of {} in group {}; the partition stays there and is tried again",
          record.offset(),
          record.partition(),
          group,
          defect);
      lane.backOff(AFTER_A_DEFECT, System.nanoTime());
    }
    return false;
  }

  private static boolean conclude(Lane lane, PolledRecord record, Outcome outcome) {
    if (outcome instanceof Outcome.RetryLater later) {
      lane.backOff(later.delay(), System.nanoTime());
      return false;
    }
    lane.completed(record);
    return true;
  }

  private Delivery delivery(
      PolledRecord record, @Nullable Event event, int attempt, long startedAt) {
    return new Delivery(
        group,
        record.partition(),
        record.offset(),
        Instant.ofEpochMilli(record.record().timestamp()),
        event,
        attempt,
        Duration.ofNanos(System.nanoTime() - startedAt));
  }

  private void log(Delivery delivery, Outcome outcome) {
    if (outcome instanceof Outcome.Parked parked) {
      LOG.warn(
          "Group {} parked {} after attempt {}, {}: {}",
          group,
          delivery,
          delivery.attempt(),
          parked.reason(),
          parked.sentence(),
          parked.reason() == ParkReason.FAILED ? parked.cause() : null);
    } else if (outcome instanceof Outcome.RetryLater later
        && later.cost() == Outcome.Cost.AN_ATTEMPT) {
      LOG.warn(
          "Group {} failed at {}, attempt {}; tries again in {}: {}",
          group,
          delivery,
          delivery.attempt(),
          later.delay(),
          later.cause().toString());
    }
  }
}
