package dev.waybill.engine.capture;

import java.util.List;

/** A stretch of the log, in commit order. Confined to the thread that handed it over. */
public interface CapturedBatch {

  /**
   * The rows to publish. Rows that the starting position already covered are left out; the list is
   * empty for a stretch without outbox rows, such as a heartbeat.
   */
  List<Change> changes();

  /** What progress may say once all {@link #changes()} are in Kafka. */
  Position position();

  /**
   * Lets the source forget everything up to {@link #position()}. Call it only after that position
   * is stored, on the thread of {@link BatchHandler#handle}.
   */
  void acknowledge() throws InterruptedException;
}
