package dev.waybill.engine.capture;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Stores what is handed over as a publisher and its progress would: first the changes, then the
 * position, then the acknowledgement.
 */
class RecordingHandler implements BatchHandler {

  private final List<Change> changes = new ArrayList<>();
  private Position position;

  RecordingHandler(Position start) {
    this.position = start;
  }

  @Override
  public void handle(CapturedBatch batch) throws InterruptedException {
    store(batch);
    batch.acknowledge();
  }

  final synchronized void store(CapturedBatch batch) {
    changes.addAll(batch.changes());
    position = batch.position();
    notifyAll();
  }

  final synchronized List<Change> changes() {
    return List.copyOf(changes);
  }

  final synchronized Position position() {
    return position;
  }

  final List<String> eventIds() {
    return changes().stream().flatMap(change -> Stream.ofNullable(change.row().eventId())).toList();
  }
}
