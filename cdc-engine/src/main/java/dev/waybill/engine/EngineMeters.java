package dev.waybill.engine;

import dev.waybill.engine.capture.Change;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The engine's meters, all named {@code waybill.…} and tagged with the engine's name; they are
 * listed in {@code docs/operations.md}. Registered when the engine is built and removed when it is
 * closed. Safe for many threads.
 */
final class EngineMeters implements AutoCloseable {

  private final MeterRegistry registry;
  private final Clock clock;
  private final Tags tags;
  private final List<Meter> meters = new ArrayList<>();
  private final Counter published;
  private final Counter parked;
  private final Counter publishFailures;
  private final Counter restarts;
  private final Timer delay;
  private final DistributionSummary batches;

  EngineMeters(String engine, MeterRegistry registry, Clock clock) {
    this.registry = registry;
    this.clock = clock;
    this.tags = Tags.of("engine", engine);
    this.published = counter("waybill.events.published", "Events the broker has acknowledged");
    this.parked = counter("waybill.events.parked", "Events set aside with their reason");
    this.publishFailures =
        counter("waybill.publish.failures", "Batches that did not get through to the broker");
    this.restarts = counter("waybill.restarts", "Times that producer and capture were given up");
    this.delay = keep(delayTimer().register(registry));
    this.batches =
        keep(
            DistributionSummary.builder("waybill.batch.events")
                .description("Events in a batch, batches without events left out")
                .tags(tags)
                .register(registry));
  }

  /** Adds the gauges over what is built later than the meters. */
  void watch(Supplier<EngineState> state, DoubleSupplier retainedLogBytes) {
    keep(
        Gauge.builder("waybill.source.retained.log", retainedLogBytes::getAsDouble)
            .description("Log that the source has to keep for this engine")
            .baseUnit("bytes")
            .tags(tags)
            .register(registry));
    for (EngineState each : EngineState.values()) {
      keep(
          Gauge.builder("waybill.state", () -> state.get() == each ? 1 : 0)
              .description("1 for the state the engine is in, 0 for the others")
              .tags(tags.and("state", each.toString()))
              .register(registry));
    }
  }

  /** Counts a batch that has gone through. */
  void batch(int events) {
    if (events > 0) {
      batches.record(events);
    }
  }

  /** Counts an event that the broker has acknowledged. */
  void published(Change change) {
    published.increment();
    long millis = clock.millis() - change.committedAt().toEpochMilli();
    delay.record(Math.max(0, millis), TimeUnit.MILLISECONDS);
  }

  void parked() {
    parked.increment();
  }

  void publishFailed() {
    publishFailures.increment();
  }

  void restarted() {
    restarts.increment();
  }

  @Override
  public void close() {
    meters.forEach(registry::remove);
  }

  private Timer.Builder delayTimer() {
    return Timer.builder("waybill.delay")
        .description("From the commit in the source to the broker's acknowledgement")
        .tags(tags)
        .serviceLevelObjectives(
            Stream.of(5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 15_000, 60_000, 600_000)
                .map(Duration::ofMillis)
                .toArray(Duration[]::new));
  }

  private Counter counter(String name, String description) {
    return keep(Counter.builder(name).description(description).tags(tags).register(registry));
  }

  private <M extends Meter> M keep(M meter) {
    meters.add(meter);
    return meter;
  }
}
