package dev.waybill.engine;

import dev.waybill.engine.capture.Source;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many bytes of log the source has to keep for this engine, asked now and then. It is asked
 * while the broker is away, too: that is when the source's disk fills. Used by the supervisor's
 * thread, read by any.
 */
final class RetainedLog {

  private static final Logger log = LoggerFactory.getLogger(RetainedLog.class);

  private final Source source;
  private final long intervalNanos;
  private final LongSupplier nanoTime;

  private @Nullable Long nextAt;
  private volatile double bytes = Double.NaN;

  RetainedLog(Source source, Duration interval, LongSupplier nanoTime) {
    this.source = source;
    this.intervalNanos = interval.toNanos();
    this.nanoTime = nanoTime;
  }

  /** What was last seen; NaN while it is unknown. */
  double bytes() {
    return bytes;
  }

  Duration untilNext() {
    long left = nextAt == null ? 0 : nextAt - nanoTime.getAsLong();
    return Duration.ofNanos(Math.max(left, TimeUnit.MILLISECONDS.toNanos(1)));
  }

  /** Returns whether it was due. */
  boolean measureIfDue() {
    if (nextAt != null && nextAt - nanoTime.getAsLong() > 0) {
      return false;
    }
    nextAt = nanoTime.getAsLong() + intervalNanos;
    measure();
    return true;
  }

  private void measure() {
    try {
      Long now = source.retainedLogBytes();
      bytes = now == null ? Double.NaN : now;
    } catch (RuntimeException e) {
      log.debug("The retained log is unknown now", e);
      bytes = Double.NaN;
    }
  }
}
