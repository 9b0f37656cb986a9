package dev.waybill.event;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Makes UUIDs of version 7: they begin with the time, so that rows and index entries of one time
 * lie side by side. Each is greater than the one before it, also within a millisecond and when the
 * clock goes back. Safe for many threads.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9562#name-monotonicity-and-counters">RFC 9562,
 *     6.2, method 1: a counter of 12 bits, anew at random in each millisecond</a>
 */
public final class UuidV7 {

  private static final int COUNTER_BITS = 12;
  private static final long VERSION = 0x7L << COUNTER_BITS;
  private static final long VARIANT = 0x2L << 62;
  private static final UuidV7 SYSTEM = new UuidV7(Clock.systemUTC(), new SecureRandom());

  private final Clock clock;
  private final RandomGenerator random;
  private long millis;
  private int counter;

  public UuidV7(Clock clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  /** The one by the system's clock that this JVM shares. */
  public static UuidV7 system() {
    return SYSTEM;
  }

  public synchronized UUID next() {
    step();
    return new UUID(millis << 16 | VERSION | counter, VARIANT | random.nextLong() >>> 2);
  }

  private void step() {
    long now = clock.millis();
    if (now > millis) {
      startMillisecond(now);
    } else if (++counter >> COUNTER_BITS != 0) {
      // 2,048 and more in one millisecond: the next one is begun early.
      startMillisecond(millis + 1);
    }
  }

  /** The counter's highest bit begins as 0, which leaves it room to count. */
  private void startMillisecond(long next) {
    millis = next;
    counter = random.nextInt(1 << (COUNTER_BITS - 1));
  }
}
