package dev.waybill.engine.capture;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;

/** An open capture and what has come out of it. */
record Reading(Capture capture, RecordingHandler handler) implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(30);

  static Reading of(Outbox outbox, Position start) {
    return of(outbox, start, new RecordingHandler(start));
  }

  static Reading of(Source source, Position start) {
    RecordingHandler handler = new RecordingHandler(start);
    return new Reading(source.capture(start, handler), handler);
  }

  static Reading of(Outbox outbox, Position start, RecordingHandler handler) {
    return new Reading(outbox.source().capture(start, handler), handler);
  }

  /** Fails with the capture's own failure. */
  List<String> awaitEventIds(int count) {
    await()
        .atMost(PATIENCE)
        .until(() -> handler.changes().size() >= count || capture.awaitEnd(Duration.ZERO));
    return handler.eventIds();
  }

  Position position() {
    return handler.position();
  }

  @Override
  public void close() {
    capture.close();
  }
}
