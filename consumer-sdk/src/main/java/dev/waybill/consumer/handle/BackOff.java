package dev.waybill.consumer.handle;

import java.time.Duration;

/**
 * How long to wait for something that is away: doubling, up to a limit, for ever. Immutable.
 *
 * @param first after the first failure
 * @param longest whatever the number of failures, jitter aside
 */
public record BackOff(Duration first, Duration longest) {

  private static final double JITTER = 0.2;
  private static final int MAX_DOUBLINGS = 30;

  public BackOff {
    if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "A back-off begins above zero and does not shrink: first %s, longest %s"
              .formatted(first, longest));
    }
  }

  /**
   * How long to wait after a failure.
   *
   * @param failures in a row, from 1
   * @param random from 0 (inclusive) to 1 (exclusive)
   */
  public Duration delayAfter(int failures, double random) {
    long doubled = first.toNanos() << Math.min(failures - 1, MAX_DOUBLINGS);
    boolean overflow = doubled >> Math.min(failures - 1, MAX_DOUBLINGS) != first.toNanos();
    long nanos = overflow ? longest.toNanos() : Math.min(doubled, longest.toNanos());
    return Jitter.apply(Duration.ofNanos(nanos), JITTER, random);
  }
}
