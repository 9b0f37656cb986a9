package dev.waybill.quickstart.service;

import dev.waybill.consumer.ConsumerListener;
import dev.waybill.consumer.Delivery;
import dev.waybill.consumer.handle.Outcome;
import dev.waybill.event.Event;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Writes a line about what a consumer did to standard output, twice a second: the demo reads it.
 * Safe for many threads.
 */
public final class Report implements ConsumerListener {

  /** How the lines begin. */
  public static final String MARK = "report ";

  private static final long INTERVAL_MILLIS = 500;

  private final Clock clock;
  private final List<Long> delays = new ArrayList<>();
  private long handled;
  private long repeated;
  private long parked;

  private Report(Clock clock) {
    this.clock = clock;
  }

  /** A listener whose lines are written as long as this JVM runs. */
  public static Report toStandardOutput() {
    Report report = new Report(Clock.systemUTC());
    Thread writer = new Thread(report::writeForEver, "report");
    writer.setDaemon(true);
    writer.start();
    return report;
  }

  @Override
  public synchronized void handled(Delivery delivery, Outcome.Handled outcome) {
    handled++;
    Event event = delivery.event();
    Instant occurredAt = event == null ? null : event.occurredAt();
    if (occurredAt != null) {
      delays.add(Duration.between(occurredAt, clock.instant()).toMillis());
    }
  }

  @Override
  public synchronized void duplicate(Delivery delivery, Outcome.Duplicate outcome) {
    repeated++;
  }

  @Override
  public synchronized void stale(Delivery delivery, Outcome.Stale outcome) {
    repeated++;
  }

  @Override
  public synchronized void parked(Delivery delivery, Outcome.Parked outcome) {
    parked++;
  }

  private void writeForEver() {
    try {
      while (true) {
        Thread.sleep(INTERVAL_MILLIS);
        write();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void write() {
    System.out.printf(
        "%shandled=%d duplicates=%d parked=%d delay=%d%n",
        MARK, handled, repeated, parked, medianDelay());
    delays.clear();
  }

  /** From the event to its effect, in milliseconds; -1 if there was none lately. */
  private long medianDelay() {
    Collections.sort(delays);
    return delays.isEmpty() ? -1 : delays.get(delays.size() / 2);
  }
}
