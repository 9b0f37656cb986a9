package dev.waybill.engine.capture;

import dev.waybill.engine.capture.PostgresPosition.Unfinished;
import dev.waybill.engine.capture.RowCounter.Count;
import java.util.Collection;

/**
 * Follows the log from a starting position and says, after each record, where we are. Confined to
 * one thread.
 *
 * <p>Every record, of whatever kind, carries the LSN up to which Debezium takes the log for
 * complete at that point of the stream: the end of the last whole transaction, or a heartbeat's
 * message behind it. Since transactions come whole and in commit order, all that ends at or before
 * it has been seen. Rows are counted within their transaction; whether some of them were published
 * already is decided by that count alone, because rows may share an LSN.
 */
final class PositionTracker {

  private final String tables;
  private final RowCounter<Long> rows;
  private long lsn;

  /**
   * At a starting position. What it says of an unfinished transaction holds only if the same tables
   * are read: otherwise that transaction comes again from its beginning.
   */
  PositionTracker(PostgresPosition start, Collection<TableName> tables) {
    this.tables = TableName.list(tables);
    this.lsn = start.lsn();
    Unfinished unfinished = start.unfinished();
    this.rows =
        new RowCounter<>(
            unfinished != null && unfinished.tables().equals(this.tables)
                ? new Count<>(unfinished.xid(), unfinished.ordinal())
                : null);
  }

  /** The log is complete up to {@code completeLsn}. */
  void complete(long completeLsn) {
    if (Long.compareUnsigned(completeLsn, lsn) > 0) {
      lsn = completeLsn;
      rows.end();
    }
  }

  /**
   * The next outbox row of transaction {@code xid}.
   *
   * @return false if the starting position covers it
   */
  boolean row(long xid) {
    return rows.row(xid);
  }

  PostgresPosition position() {
    Count<Long> unfinished = rows.unfinished();
    return new PostgresPosition(
        lsn,
        unfinished == null
            ? null
            : new Unfinished(unfinished.transaction(), unfinished.rows(), tables));
  }
}
