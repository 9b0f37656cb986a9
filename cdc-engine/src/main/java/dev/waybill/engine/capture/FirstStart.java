package dev.waybill.engine.capture;

import java.util.List;

/**
 * The rows that were in the outbox before the log's starting point, read from one snapshot.
 * Confined to one thread. Closing it gives the snapshot up.
 */
public interface FirstStart extends AutoCloseable {

  /** Where the log begins: to be captured from once all rows are published. */
  Position position();

  /**
   * The next rows, ordered per aggregate by version, else by id.
   *
   * @return at most a few thousand rows; empty once all have been returned
   */
  List<Change> next();

  @Override
  void close();
}
