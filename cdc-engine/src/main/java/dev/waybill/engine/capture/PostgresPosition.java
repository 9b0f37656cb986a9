package dev.waybill.engine.capture;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.replication.LogSequenceNumber;

/**
 * A place in PostgreSQL's log, as the transactions come out of logical decoding: in commit order,
 * each whole.
 *
 * @param lsn everything that ends at or before it is in Kafka
 * @param unfinished how much is in Kafka of the first transaction that ends after it; null if
 *     nothing is
 */
record PostgresPosition(long lsn, @Nullable Unfinished unfinished) implements Position {

  private static final String LSN = "lsn";
  private static final String XID = "xid";
  private static final String ORDINAL = "ordinal";
  private static final String TABLES = "tables";

  /**
   * The beginning of a transaction.
   *
   * @param xid of the transaction
   * @param ordinal how many of its outbox rows are in Kafka, at least 1
   * @param tables whose rows were counted
   */
  record Unfinished(long xid, long ordinal, String tables) {}

  static PostgresPosition at(long lsn) {
    return new PostgresPosition(lsn, null);
  }

  static PostgresPosition parse(Map<String, String> stored) {
    long lsn = parseLsn(value(stored, LSN));
    if (!stored.containsKey(XID)) {
      return at(lsn);
    }
    return new PostgresPosition(
        lsn,
        new Unfinished(
            Long.parseLong(value(stored, XID)),
            Long.parseLong(value(stored, ORDINAL)),
            value(stored, TABLES)));
  }

  private static String value(Map<String, String> stored, String key) {
    String value = stored.get(key);
    if (value == null) {
      throw new IllegalArgumentException("stored position has no " + key + ": " + stored);
    }
    return value;
  }

  static long parseLsn(String text) {
    long lsn = LogSequenceNumber.valueOf(text).asLong();
    if (lsn == LogSequenceNumber.INVALID_LSN.asLong()) {
      throw new IllegalArgumentException("no place in PostgreSQL's log: " + text);
    }
    return lsn;
  }

  /** Such as {@code 0/16B3748}. */
  static String format(long lsn) {
    return LogSequenceNumber.valueOf(lsn).asString();
  }

  String lsnText() {
    return format(lsn);
  }

  @Override
  public Map<String, String> toMap() {
    return unfinished == null
        ? Map.of(LSN, lsnText())
        : Map.of(
            LSN,
            lsnText(),
            XID,
            Long.toString(unfinished.xid()),
            ORDINAL,
            Long.toString(unfinished.ordinal()),
            TABLES,
            unfinished.tables());
  }
}
