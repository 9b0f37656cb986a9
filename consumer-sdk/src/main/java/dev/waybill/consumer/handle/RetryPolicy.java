package dev.waybill.consumer.handle;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * When to call a handler again that failed. Immutable.
 *
 * <p>A partition waits meanwhile, since later events must not overtake: the sum of the delays is
 * how long one bad event holds up its partition.
 *
 * @param delays after the first failure, the second, and so on; after one more the event is parked
 * @param jitter from 0 to 1: each delay is changed by up to this share, so that many consumers that
 *     failed at once do not come back at once
 */
public record RetryPolicy(List<Duration> delays, double jitter) {

  private static final double DEFAULT_JITTER = 0.2;

  public RetryPolicy {
    delays = List.copyOf(delays);
    if (delays.stream().anyMatch(Duration::isNegative)) {
      throw new IllegalArgumentException("A retry policy has a negative delay: " + delays);
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException("The jitter of a retry policy is from 0 to 1: " + jitter);
    }
  }

  /** Four attempts: after 1, 5 and 30 seconds. */
  public static RetryPolicy standard() {
    return after(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(30));
  }

  /** One attempt. */
  public static RetryPolicy never() {
    return after();
  }

  /** One attempt and one more after each delay. */
  public static RetryPolicy after(Duration... delays) {
    return new RetryPolicy(List.of(delays), DEFAULT_JITTER);
  }

  public RetryPolicy withJitter(double share) {
    return new RetryPolicy(delays, share);
  }

  /**
   * How long to wait after a failure.
   *
   * @param failures so far, from 1
   * @param random from 0 (inclusive) to 1 (exclusive)
   * @return empty if the event is to be parked
   */
  public Optional<Duration> delayAfter(int failures, double random) {
    return failures > delays.size()
        ? Optional.empty()
        : Optional.of(Jitter.apply(delays.get(failures - 1), jitter, random));
  }
}
