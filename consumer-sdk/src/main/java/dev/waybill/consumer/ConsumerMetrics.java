package dev.waybill.consumer;

import dev.waybill.consumer.handle.Outcome;
import dev.waybill.event.Event;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;

/**
 * Counts outcomes with Micrometer, which only who uses this class needs: {@code
 * builder.listener(new ConsumerMetrics(registry))}.
 *
 * <ul>
 *   <li>{@code waybill.consumer.events}: final outcomes by group, type and outcome (handled, gap,
 *       duplicate, stale, ignored, parked); they add up to the events that were read
 *   <li>{@code waybill.consumer.parked}: parked events by group, type and reason
 *   <li>{@code waybill.consumer.retries}: attempts that failed, by group, type and cost
 *       (an_attempt, nothing)
 *   <li>{@code waybill.consumer.unversioned}: handled events that the version guard could not check
 *   <li>{@code waybill.consumer.stuck}: reports of handlers that run too long, by group
 *   <li>{@code waybill.consumer.handling}: time of attempts that took effect, by group and type
 *   <li>{@code waybill.consumer.delay}: time from the commit at the source to the effect, by group
 *       and type
 * </ul>
 */
public final class ConsumerMetrics implements ConsumerListener {

  private static final String PREFIX = "waybill.consumer.";

  private final MeterRegistry registry;
  private final Clock clock;

  public ConsumerMetrics(MeterRegistry registry) {
    this(registry, Clock.systemUTC());
  }

  ConsumerMetrics(MeterRegistry registry, Clock clock) {
    this.registry = registry;
    this.clock = clock;
  }

  @Override
  public void handled(Delivery delivery, Outcome.Handled outcome) {
    ended(delivery, "handled");
    tookEffect(delivery);
    if (outcome.unversioned()) {
      counter("unversioned", tags(delivery)).increment();
    }
  }

  @Override
  public void gap(Delivery delivery, Outcome.Gap outcome) {
    ended(delivery, "gap");
    tookEffect(delivery);
  }

  @Override
  public void duplicate(Delivery delivery, Outcome.Duplicate outcome) {
    ended(delivery, "duplicate");
  }

  @Override
  public void stale(Delivery delivery, Outcome.Stale outcome) {
    ended(delivery, "stale");
  }

  @Override
  public void ignored(Delivery delivery, Outcome.Ignored outcome) {
    ended(delivery, "ignored");
  }

  @Override
  public void parked(Delivery delivery, Outcome.Parked outcome) {
    ended(delivery, "parked");
    counter("parked", tags(delivery).and("reason", lower(outcome.reason()))).increment();
  }

  @Override
  public void retryLater(Delivery delivery, Outcome.RetryLater outcome) {
    counter("retries", tags(delivery).and("cost", lower(outcome.cost()))).increment();
  }

  @Override
  public void stuck(Delivery delivery, Duration running) {
    counter("stuck", Tags.of("group", delivery.group())).increment();
  }

  private void ended(Delivery delivery, String outcome) {
    counter("events", tags(delivery).and("outcome", outcome)).increment();
  }

  private void tookEffect(Delivery delivery) {
    timer("handling", delivery).record(delivery.took());
    timer("delay", delivery).record(Duration.between(delivery.publishedAt(), clock.instant()));
  }

  private Timer timer(String name, Delivery delivery) {
    return Timer.builder(PREFIX + name).tags(tags(delivery)).register(registry);
  }

  private Counter counter(String name, Tags tags) {
    return Counter.builder(PREFIX + name).tags(tags).register(registry);
  }

  private static Tags tags(Delivery delivery) {
    Event event = delivery.event();
    String type = event == null || event.type() == null ? "unknown" : event.type();
    return Tags.of("group", delivery.group(), "type", type);
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
