package dev.waybill.engine;

import dev.waybill.engine.capture.Change;
import dev.waybill.engine.capture.SourceReport;
import dev.waybill.engine.publish.PublishObserver;
import dev.waybill.engine.route.Route;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happened to one engine, through all its attempts: kept as its status, its meters and its
 * log, and told to its listener. Called by the supervisor's thread and by the one that reads the
 * log.
 *
 * <p>An engine streams as soon as its capture is open, unless publishing had failed: then it goes
 * on waiting until an event has got through. Otherwise a missing topic would turn the state to and
 * fro with each attempt.
 */
final class Journal implements PublishObserver {

  private static final Logger log = LoggerFactory.getLogger(OutboxEngine.class);

  private final String engine;
  private final CurrentStatus status;
  private final EngineMeters meters;
  private final EngineListener listener;

  private List<String> warnings = List.of();
  private volatile int inFlight;
  private volatile boolean eventsAreStuck;
  private volatile boolean hasStreamed;
  private final AtomicInteger failuresInARow = new AtomicInteger();

  Journal(String engine, CurrentStatus status, EngineMeters meters, EngineListener listener) {
    this.engine = engine;
    this.status = status;
    this.meters = meters;
    this.listener = listener;
  }

  void reached(EngineListener.Point point) {
    listener.reached(point);
  }

  void inspected(SourceReport report) {
    if (!report.warnings().equals(warnings)) {
      warnings = report.warnings();
      warnings.forEach(warning -> log.warn("Engine {}: {}", engine, warning));
    }
  }

  /** The rows that are there are published first. */
  void firstStart(boolean again) {
    String reason =
        again
            ? "the one before was not finished"
            : "no engine of this name has published to this broker";
    status.enter(EngineState.FIRST_START, reason, null);
  }

  /** The log is being read. */
  void reads() {
    if (!eventsAreStuck) {
      streams();
    }
  }

  @Override
  public void sent(int records) {
    listener.reached(EngineListener.Point.SENT);
  }

  @Override
  public void published(Change change) {
    meters.published(change);
  }

  @Override
  public void parked(Change change, String reason) {
    meters.parked();
    listener.parked(change, reason);
  }

  /** A batch is going to be published. */
  void publishing(List<Route> routes) {
    inFlight = routes.size();
  }

  /** Each event of the batch was published or parked. */
  void published(List<Route> routes) {
    meters.batch(routes.size());
    eventsAreStuck &= routes.isEmpty();
    inFlight = 0;
  }

  /** A batch has gone all the way. */
  void acknowledged() {
    failuresInARow.set(0);
    reads();
    reached(EngineListener.Point.ACKNOWLEDGED);
  }

  /** An attempt has ended and will be followed by another one. */
  void failed(EngineState waiting, RuntimeException cause) {
    failuresInARow.incrementAndGet();
    meters.restarted();
    if (inFlight > 0) {
      meters.publishFailed();
      eventsAreStuck = true;
      inFlight = 0;
    }
    boolean foreseen = waiting != EngineState.RECOVERING;
    status.enter(waiting, foreseen ? message(cause) : cause.toString(), foreseen ? null : cause);
  }

  /** The engine ends by itself. */
  void ended(Throwable cause) {
    boolean internal = cause instanceof Error;
    status.enter(
        EngineState.FAILED, internal ? cause.toString() : message(cause), internal ? cause : null);
  }

  boolean hasStreamed() {
    return hasStreamed;
  }

  int failuresInARow() {
    return failuresInARow.get();
  }

  private void streams() {
    hasStreamed = true;
    status.enter(EngineState.STREAMING, "", null);
  }

  private static String message(Throwable cause) {
    @Nullable String message = cause.getMessage();
    return message == null ? cause.toString() : message;
  }
}
