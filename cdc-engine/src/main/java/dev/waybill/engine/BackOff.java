package dev.waybill.engine;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Pauses that double from one attempt to the next, up to a limit, each shortened by up to a half at
 * random, so that engines which lost the same broker do not come back together. Immutable.
 *
 * @param first the pause after the first failure
 * @param longest no pause is longer
 */
public record BackOff(Duration first, Duration longest) {

  private static final int MOST_DOUBLINGS = 20;

  public BackOff {
    if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "a back-off from " + first + " to " + longest + " does not grow");
    }
  }

  /**
   * The pause before the next attempt.
   *
   * @param failures how many attempts have failed in a row, 0 if the last one had got something
   *     through before it ended
   */
  Duration pause(int failures, RandomGenerator random) {
    int doublings = Math.min(Math.max(failures, 1) - 1, MOST_DOUBLINGS);
    long full = Math.min(first.toMillis() << doublings, longest.toMillis());
    return Duration.ofMillis(full - random.nextLong(full / 2 + 1));
  }
}
