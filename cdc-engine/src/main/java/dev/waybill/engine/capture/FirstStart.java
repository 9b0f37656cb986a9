package dev.waybill.engine.capture;

import java.util.List;

/**
 * The rows that were in the outbox before the log's starting point, read from one snapshot.
 * Confined to one thread. Closing it gives the snapshot up.
 */
public interface FirstStart extends AutoCloseable {

  /** What becomes of rows that are in the table when an engine starts for the first time. */
  enum Rows {
    /** They are published before the log is. */
    EXISTING,
    /** They are left out: only what is committed from now on is published. */
    NONE
  }

  /** Where the log begins: to be captured from once all rows are published. */
  Position position();

  /**
   * The next rows, ordered per aggregate by version, else by id. Rows without a version come before
   * those of the same aggregate that have one.
   *
   * @return at most a few thousand rows, and not many megabytes; empty once all have been returned
   * @throws SourceUnavailableException when the rest cannot be read: the snapshot is lost, and the
   *     first start has to be made anew
   */
  List<Change> next();

  @Override
  void close();
}
