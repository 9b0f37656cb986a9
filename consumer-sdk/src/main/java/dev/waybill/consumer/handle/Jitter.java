package dev.waybill.consumer.handle;

import java.time.Duration;

/** Spreads delays. Pure. */
final class Jitter {

  private Jitter() {}

  /** The delay, changed by at most {@code share} of itself, evenly spread over {@code random}. */
  static Duration apply(Duration delay, double share, double random) {
    double factor = 1 + share * (2 * random - 1);
    return Duration.ofNanos((long) (delay.toNanos() * factor));
  }
}
