package dev.waybill.engine;

import dev.waybill.engine.capture.Change;

/**
 * Told about the life of an engine, in its own threads: return quickly, for the engine waits.
 *
 * <p>Most methods are called by the one thread that publishes; the order of their calls is the
 * order of what happened. After a failure the calls for the same events come again, since the
 * events do.
 */
public interface EngineListener {

  /** Hears nothing. */
  EngineListener NONE = new EngineListener() {};

  /** The places at which an engine may be interrupted with different things done and not done. */
  enum Point {
    /** First start: its progress record is in Kafka, the source knows nothing yet. */
    FIRST_START_RECORDED,
    /** First start: the log has its beginning, none of the older rows is published. */
    FIRST_START_OPENED,
    /** A batch was handed to the producer; some, all or none of it may be in Kafka. */
    SENT,
    /** The broker has acknowledged the batch; progress does not know it yet. */
    PUBLISHED,
    /** Progress covers the batch; the source has not been told. */
    PROGRESS_STORED,
    /** The source is going to be told in the next moment. */
    ACKNOWLEDGING,
    /** The source may forget the batch. */
    ACKNOWLEDGED
  }

  /**
   * The engine has reached a point. Called by the publishing thread, at every batch, those without
   * events included. Whatever this throws counts as a failure of the engine at that point: it is
   * closed and built anew.
   */
  default void reached(Point point) {}

  /**
   * An event was parked: the broker has acknowledged the parked record, progress does not cover it
   * yet. Called by the publishing thread.
   *
   * @param reason a sentence for people
   */
  default void parked(Change change, String reason) {}

  /**
   * The state has changed. Called by the thread that changed it, after the fact: the engine may be
   * further on already. An exception is logged and changes nothing; an error ends the engine.
   */
  default void stateChanged(EngineStatus before, EngineStatus after) {}
}
