package dev.waybill.engine.capture;

import dev.waybill.engine.capture.MySqlPosition.Unfinished;
import dev.waybill.engine.capture.RowCounter.Count;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows MySQL's log from a starting position and says, after each record, where we are. Confined
 * to one thread.
 *
 * <p>Every record, of whatever kind, carries the set of GTIDs that Debezium takes for complete at
 * that point of the stream. It must not hold the record's own: after a reconnect of its client
 * within a transaction it does, and a restart from there would leave out what was not sent before.
 */
final class MySqlTracker {

  private final String tables;
  private final String serverUuid;
  private final RowCounter<String> rows;
  private GtidSet gtids;

  /** What was found not to be among them: the transaction whose rows are coming, asked for once. */
  private @Nullable String incomplete;

  private BinlogPlace place;
  private SortedMap<TableName, MySqlColumns> columns;

  /** What a statement made of the columns, until its transaction is complete. */
  private @Nullable Pending pending;

  /**
   * @param columns what they are once {@code gtid} is complete
   */
  private record Pending(String gtid, SortedMap<TableName, MySqlColumns> columns) {}

  /**
   * At a starting position. What it says of an unfinished transaction holds only if the same tables
   * are read: otherwise that transaction comes again from its beginning.
   */
  MySqlTracker(MySqlPosition start, Collection<TableName> tables) {
    this.tables = TableName.list(tables);
    this.serverUuid = start.serverUuid();
    this.gtids = start.gtids();
    this.place = start.place();
    this.columns = start.columns();
    Unfinished unfinished = start.unfinished();
    this.rows =
        new RowCounter<>(
            unfinished != null && unfinished.tables().equals(this.tables)
                ? new Count<>(unfinished.gtid(), unfinished.ordinal())
                : null);
  }

  /** The log is complete up to the GTIDs of {@code complete}, and {@code at} is behind them. */
  void complete(GtidSet complete, BinlogPlace at) {
    if (!complete.containsAll(gtids)) {
      throw new SourceUnavailableException(
          "the log was read up to " + gtids + ", and now it is read from " + complete, null);
    }
    if (complete.equals(gtids)) {
      return;
    }
    gtids = complete;
    incomplete = null;
    place = at;
    rows.end();
    if (pending != null && gtids.contains(pending.gtid())) {
      columns = pending.columns();
      pending = null;
    }
  }

  /**
   * The next outbox row of transaction {@code gtid}.
   *
   * @return false if the starting position covers it
   */
  boolean row(String gtid) {
    refuseIfComplete(gtid);
    return rows.row(gtid);
  }

  /** Statement {@code gtid} gave these columns to a table; null if there is no such table now. */
  void columns(String gtid, TableName table, @Nullable MySqlColumns now) {
    refuseIfComplete(gtid);
    SortedMap<TableName, MySqlColumns> changed =
        new TreeMap<>(pending == null ? columns : pending.columns());
    if (now == null) {
      changed.remove(table);
    } else {
      changed.put(table, now);
    }
    pending = new Pending(gtid, changed);
  }

  /** Whether there is such a table at this place of the log. */
  boolean knows(TableName table) {
    return (pending == null ? columns : pending.columns()).containsKey(table);
  }

  private void refuseIfComplete(String gtid) {
    if (gtid.equals(incomplete)) {
      return;
    }
    if (gtids.contains(gtid)) {
      throw new SourceUnavailableException(
          "the log shows transaction "
              + gtid
              + " again, which was taken for complete: it is read anew from the last position",
          null);
    }
    incomplete = gtid;
  }

  MySqlPosition position() {
    Count<String> unfinished = rows.unfinished();
    return new MySqlPosition(
        gtids,
        unfinished == null
            ? null
            : new Unfinished(unfinished.transaction(), unfinished.rows(), tables),
        serverUuid,
        place,
        columns);
  }
}
