package dev.waybill.engine.capture;

import static java.util.stream.Collectors.joining;

import dev.waybill.engine.capture.PostgresPosition.Unfinished;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

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
  private long lsn;

  /** What the starting position says about a transaction; null once that is over. */
  private @Nullable Unfinished resumed;

  /** The transaction whose rows are being seen; null between transactions. */
  private @Nullable Unfinished current;

  /**
   * At a starting position. What it says of an unfinished transaction holds only if the same tables
   * are read: otherwise that transaction comes again from its beginning.
   */
  PositionTracker(PostgresPosition start, Collection<TableName> tables) {
    this.tables = tables.stream().map(TableName::toString).sorted().collect(joining(","));
    this.lsn = start.lsn();
    Unfinished unfinished = start.unfinished();
    this.resumed =
        unfinished != null && unfinished.tables().equals(this.tables) ? unfinished : null;
  }

  /** The log is complete up to {@code completeLsn}. */
  void complete(long completeLsn) {
    if (Long.compareUnsigned(completeLsn, lsn) <= 0) {
      return;
    }
    lsn = completeLsn;
    if (current != null) {
      resumed = null;
      current = null;
    }
  }

  /**
   * The next outbox row of transaction {@code xid}.
   *
   * @return false if the starting position covers it
   */
  boolean row(long xid) {
    long ordinal = current != null && current.xid() == xid ? current.ordinal() + 1 : 1;
    current = new Unfinished(xid, ordinal, tables);
    if (resumed == null) {
      return true;
    }
    if (resumed.xid() != xid) {
      resumed = null;
      return true;
    }
    return ordinal > resumed.ordinal();
  }

  PostgresPosition position() {
    if (resumed != null && (current == null || current.ordinal() < resumed.ordinal())) {
      return new PostgresPosition(lsn, resumed);
    }
    return new PostgresPosition(lsn, current);
  }
}
