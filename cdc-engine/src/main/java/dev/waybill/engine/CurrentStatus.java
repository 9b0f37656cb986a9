package dev.waybill.engine;

import java.time.Clock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The status of one engine, changed by compare-and-set along the graph that {@link EngineState}
 * declares. A change of state is logged once and told to the listener. Of the reasons for one stay
 * in a state each is logged once, however often it comes, so that a thousand attempts to reach a
 * broker are one line, and a password that is refused meanwhile is another. Safe for many threads.
 */
final class CurrentStatus {

  private static final Logger log = LoggerFactory.getLogger(OutboxEngine.class);

  /** More than one stay has; only texts that are never the same come so far. */
  private static final int MOST_REASONS = 20;

  private static final Pattern NUMBER = Pattern.compile("[0-9]+");

  private final String engine;
  private final Clock clock;
  private final EngineListener listener;
  private final AtomicReference<EngineStatus> current;

  /** The reasons of the current stay that the log has. */
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

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
      if (isNew(after.reason())) {
        write("still ", after, cause);
      }
      return;
    }
    logged.clear();
    logged.add(kind(after.reason()));
    write("", after, cause);
    try {
      listener.stateChanged(before, after);
    } catch (RuntimeException e) {
      log.warn("Engine {}: its listener failed at a change of state, which stands", engine, e);
    }
  }

  private boolean isNew(String reason) {
    return !reason.isEmpty() && logged.size() < MOST_REASONS && logged.add(kind(reason));
  }

  /** Times, ports and counts differ from attempt to attempt and are no other reason. */
  private static String kind(String reason) {
    return NUMBER.matcher(reason).replaceAll("0");
  }

  private void write(String still, EngineStatus status, @Nullable Throwable cause) {
    String reason = status.reason().isEmpty() ? "" : ": " + status.reason();
    log.atLevel(level(status.state()))
        .setCause(cause)
        .log("Engine {} is {}{}{}", engine, still, status.state(), reason);
  }

  private static Level level(EngineState state) {
    return switch (state) {
      case FAILED -> Level.ERROR;
      case WAITING_FOR_BROKER, WAITING_FOR_SOURCE, RECOVERING -> Level.WARN;
      default -> Level.INFO;
    };
  }
}
