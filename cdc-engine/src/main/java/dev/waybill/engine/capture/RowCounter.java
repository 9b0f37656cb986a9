package dev.waybill.engine.capture;

import org.jspecify.annotations.Nullable;

/**
 * Counts outbox rows within their transactions. Logs send a transaction that was not finished again
 * from its beginning, and always with the same rows in the same order: so whether a row was
 * published already is decided by its count alone. Confined to one thread.
 *
 * @param <T> what names a transaction
 */
final class RowCounter<T> {

  /**
   * The beginning of a transaction.
   *
   * @param rows at least 1
   */
  record Count<T>(T transaction, long rows) {}

  /** What was published before; null once the log is past that transaction. */
  private @Nullable Count<T> resumed;

  /** The transaction whose rows are being seen; null between transactions. */
  private @Nullable Count<T> current;

  RowCounter(@Nullable Count<T> resumed) {
    this.resumed = resumed;
  }

  /**
   * The next outbox row of a transaction.
   *
   * @return false if it was published before
   */
  boolean row(T transaction) {
    boolean goesOn = current != null && current.transaction().equals(transaction);
    long rows = current != null && goesOn ? current.rows() + 1 : 1;
    current = new Count<>(transaction, rows);
    if (resumed == null) {
      return true;
    }
    if (!resumed.transaction().equals(transaction)) {
      resumed = null;
      return true;
    }
    return rows > resumed.rows();
  }

  /** All transactions of which rows were seen are over. */
  void end() {
    if (current != null) {
      resumed = null;
      current = null;
    }
  }

  /** How much of the present transaction was published once the rows seen so far are. */
  @Nullable Count<T> unfinished() {
    return resumed != null && (current == null || current.rows() < resumed.rows())
        ? resumed
        : current;
  }
}
