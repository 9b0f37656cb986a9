package dev.waybill.consumer.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

  private static final double MIDDLE = 0.5;

  @Test
  void waitsLongerEachTimeAndThenGivesUp() {
    RetryPolicy policy = RetryPolicy.standard();
    assertThat(policy.delayAfter(1, MIDDLE)).contains(Duration.ofSeconds(1));
    assertThat(policy.delayAfter(2, MIDDLE)).contains(Duration.ofSeconds(5));
    assertThat(policy.delayAfter(3, MIDDLE)).contains(Duration.ofSeconds(30));
    assertThat(policy.delayAfter(4, MIDDLE)).isEmpty();
  }

  @Test
  void neverGivesUpAtOnce() {
    assertThat(RetryPolicy.never().delayAfter(1, MIDDLE)).isEmpty();
  }

  @Test
  void refusesWhatIsNoPolicy() {
    assertThatThrownBy(() -> RetryPolicy.after(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RetryPolicy.standard().withJitter(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Property
  void staysWithinItsJitter(
      @ForAll @LongRange(min = 0, max = 3_600_000) long millis,
      @ForAll @DoubleRange(min = 0, max = 1) double jitter,
      @ForAll @DoubleRange(min = 0, max = 1, maxIncluded = false) double random) {
    RetryPolicy policy = new RetryPolicy(List.of(Duration.ofMillis(millis)), jitter);
    Duration delay = policy.delayAfter(1, random).orElseThrow();
    double nanos = millis * 1e6;
    assertThat((double) delay.toNanos())
        .isBetween(nanos * (1 - jitter) - 1, nanos * (1 + jitter) + 1);
  }

  @Property
  void anOutageIsWaitedForWithoutEndAndWithinALimit(
      @ForAll @IntRange(min = 1) int failures,
      @ForAll @DoubleRange(min = 0, max = 1, maxIncluded = false) double random) {
    BackOff backOff = new BackOff(Duration.ofMillis(200), Duration.ofSeconds(10));
    Duration delay = backOff.delayAfter(failures, random);
    assertThat(delay).isBetween(Duration.ofMillis(160), Duration.ofSeconds(12));
  }

  @Test
  void anOutageIsLookedAtLessAndLessOften() {
    BackOff backOff = new BackOff(Duration.ofMillis(200), Duration.ofSeconds(1));
    assertThat(backOff.delayAfter(1, MIDDLE)).isEqualTo(Duration.ofMillis(200));
    assertThat(backOff.delayAfter(2, MIDDLE)).isEqualTo(Duration.ofMillis(400));
    assertThat(backOff.delayAfter(3, MIDDLE)).isEqualTo(Duration.ofMillis(800));
    assertThat(backOff.delayAfter(4, MIDDLE)).isEqualTo(Duration.ofSeconds(1));
  }
}
