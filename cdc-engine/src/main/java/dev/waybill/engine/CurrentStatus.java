package dev.waybill.engine;

import java.time.Clock;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The status of one engine, changed by compare-and-set along the graph that {@link EngineState}
 * declares. A change of state is logged once and told to the listener; a change of the reason alone
 * is neither, so that a thousand attempts to reach a broker are one line. Safe for many threads.
 */
final class CurrentStatus {

  private static final Logger log = LoggerFactory.getLogger(OutboxEngine.class);

  private final String engine;
  private final Clock clock;
  private final EngineListener listener;
  private final AtomicReference<EngineStatus> current;

  CurrentStatus(String engine, Clock clock, EngineListener listener) {
    this.engine = engine;
    this.clock = clock;
    this.listener = listener;
    this.current = new AtomicReference<>(new EngineStatus(EngineState.NEW, "", clock.instant()));
  }

  EngineStatus get() {
    return current.get();
  }

  /**
   * Enters {@code next}, or only renews the reason if that is the state already.
   *
   * @param cause logged with its stack; null where the reason says all
   * @return false if the graph has no such way from the current state; then nothing was changed
   */
  boolean enter(EngineState next, String reason, @Nullable Throwable cause) {
    while (true) {
      EngineStatus before = current.get();
      if (before.state() != next && !next.mayFollow(before.state())) {
        return false;
      }
      EngineStatus after =
          before.state() == next
              ? before.because(reason)
              : new EngineStatus(next, reason, clock.instant());
      if (current.compareAndSet(before, after)) {
        announce(before, after, cause);
        return true;
      }
    }
  }

  private void announce(EngineStatus before, EngineStatus after, @Nullable Throwable cause) {
    if (before.state() == after.state()) {
      return;
    }
    write(after, cause);
    try {
      listener.stateChanged(before, after);
    } catch (RuntimeException e) {
      log.warn("Engine {}: its listener failed at a change of state, which stands", engine, e);
    }
  }

  private void write(EngineStatus status, @Nullable Throwable cause) {
    String reason = status.reason().isEmpty() ? "" : ": " + status.reason();
    log.atLevel(level(status.state()))
        .setCause(cause)
        .log("Engine {} is {}{}", engine, status.state(), reason);
  }

  private static Level level(EngineState state) {
    return switch (state) {
      case FAILED -> Level.ERROR;
      case WAITING_FOR_BROKER, WAITING_FOR_SOURCE, RECOVERING -> Level.WARN;
      default -> Level.INFO;
    };
  }
}
