package dev.waybill.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.consumer.handle.Outcome;
import dev.waybill.consumer.handle.ParkReason;
import dev.waybill.consumer.poll.Partition;
import dev.waybill.event.Event;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConsumerMetricsTest {

  private static final Instant COMMITTED = Instant.parse("2026-01-01T00:00:00Z");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Listeners told =
      new Listeners(
          List.of(
              new ConsumerMetrics(
                  registry, Clock.fixed(COMMITTED.plusMillis(80), ZoneOffset.UTC))));

  @Test
  void everyOutcomeIsCountedOnceByGroupAndType() {
    Event event = Events.event("e1");
    RuntimeException failure = new RuntimeException("failure");
    tell(event, new Outcome.RetryLater(Outcome.Cost.AN_ATTEMPT, Duration.ZERO, failure));
    tell(event, new Outcome.RetryLater(Outcome.Cost.NOTHING, Duration.ZERO, failure));
    tell(event, new Outcome.Handled(false));
    tell(event, new Outcome.Handled(true));
    tell(event, new Outcome.Gap());
    tell(event, new Outcome.Duplicate());
    tell(event, new Outcome.Stale(3));
    tell(event, new Outcome.Ignored());
    tell(event, new Outcome.Parked(ParkReason.FAILED, "because", failure));
    for (String outcome : List.of("gap", "duplicate", "stale", "ignored", "parked")) {
      assertThat(events("OrderCreated", outcome)).as(outcome).isEqualTo(1);
    }
    assertThat(events("OrderCreated", "handled")).isEqualTo(2);
    assertThat(count("unversioned", "type", "OrderCreated")).isEqualTo(1);
    assertThat(count("parked", "reason", "failed")).isEqualTo(1);
    assertThat(count("retries", "cost", "an_attempt")).isEqualTo(1);
    assertThat(count("retries", "cost", "nothing")).isEqualTo(1);
  }

  @Test
  void timesOnlyWhatTookEffect() {
    tell(Events.event("e1"), new Outcome.Handled(false));
    tell(Events.event("e2"), new Outcome.Duplicate());
    assertThat(registry.get("waybill.consumer.handling").timer().count()).isEqualTo(1);
    assertThat(registry.get("waybill.consumer.delay").timer().totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(80);
  }

  @Test
  void aRecordThatIsNoEventHasNoType() {
    tell(null, new Outcome.Parked(ParkReason.UNDECODABLE, "because", null));
    assertThat(events("unknown", "parked")).isEqualTo(1);
  }

  private void tell(@Nullable Event event, Outcome outcome) {
    told.outcome(
        new Delivery(
            "billing", new Partition("t", 0), 1, COMMITTED, event, 1, Duration.ofMillis(5)),
        outcome);
  }

  private double events(String type, String outcome) {
    return registry
        .get("waybill.consumer.events")
        .tags("group", "billing", "type", type, "outcome", outcome)
        .counter()
        .count();
  }

  private double count(String name, String... tags) {
    return registry.get("waybill.consumer." + name).tags(tags).counter().count();
  }
}
