package dev.waybill.it.load;

import java.sql.SQLException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The kinds of transactions that a {@link Writer} mixes. */
public enum Kind {
  ONE_ROW {
    @Override
    void run(Writer writer) throws SQLException {
      Transaction transaction = writer.begin();
      transaction.insert(Insert.EACH, writer.make(1));
      writer.commit(transaction);
    }
  },

  SOME_ROWS {
    @Override
    void run(Writer writer) throws SQLException {
      Transaction transaction = writer.begin();
      transaction.insert(Insert.EACH, writer.makeSome());
      writer.commit(transaction);
    }
  },

  ONE_STATEMENT {
    @Override
    void run(Writer writer) throws SQLException {
      Transaction transaction = writer.begin();
      transaction.insert(Insert.TOGETHER, writer.makeSome());
      writer.commit(transaction);
    }
  },

  BATCH {
    @Override
    void run(Writer writer) throws SQLException {
      Transaction transaction = writer.begin();
      transaction.insert(Insert.BATCH, writer.makeSome());
      writer.commit(transaction);
    }
  },

  REWRITTEN_BATCH {
    @Override
    void run(Writer writer) throws SQLException {
      Transaction transaction = writer.beginRewriting();
      transaction.insert(Insert.BATCH, writer.makeSome());
      writer.commit(transaction);
    }
  },

  BULK {
    @Override
    void run(Writer writer) throws SQLException {
      Transaction transaction = writer.begin();
      transaction.insert(Insert.BULK, writer.makeSome());
      writer.commit(transaction);
    }
  },

  /** As applications do that want an empty outbox: an event all the same. */
  INSERT_THEN_DELETE {
    @Override
    void run(Writer writer) throws SQLException {
      Transaction transaction = writer.begin();
      List<LoadEvent> kept = writer.make(1);
      List<LoadEvent> deleted = writer.makeSome();
      transaction.insert(Insert.EACH, kept);
      transaction.insert(Insert.EACH, deleted);
      transaction.delete(deleted);
      writer.commit(transaction);
    }
  },

  ROLLBACK {
    @Override
    void run(Writer writer) throws SQLException {
      Transaction transaction = writer.begin();
      List<LoadEvent> gone = writer.makeSome();
      transaction.insert(Insert.TOGETHER, gone);
      transaction.rollBack();
      writer.rolledBack(gone);
    }
  },

  ROLLBACK_TO_SAVEPOINT {
    @Override
    void run(Writer writer) throws SQLException {
      Transaction transaction = writer.begin();
      transaction.insert(Insert.EACH, writer.make(1));
      List<LoadEvent> gone = writer.makeSome();
      transaction.insertAndRollBackToSavepoint(Insert.EACH, gone);
      writer.rolledBack(gone);
      transaction.insert(Insert.EACH, writer.make(1));
      writer.commit(transaction);
    }
  },

  /** Two transactions at once; the one that inserts first commits last. */
  INTERLEAVED {
    @Override
    void run(Writer writer) throws SQLException {
      List<LoadEvent> commitsFirst = writer.makeSome();
      List<LoadEvent> commitsLast = writer.make(4);
      Transaction last = writer.begin();
      Transaction first = writer.beginOther();
      last.insert(Insert.EACH, commitsLast.subList(0, 3));
      first.insert(Insert.TOGETHER, commitsFirst);
      writer.commit(first);
      last.insert(Insert.EACH, commitsLast.subList(3, 4));
      writer.commit(last);
    }
  };

  /** Those whose events can still be found in the table: the others are in the log alone. */
  public static final Set<Kind> KEEPING_ROWS =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(INSERT_THEN_DELETE)));

  abstract void run(Writer writer) throws SQLException;
}
