package dev.waybill.consumer.guard;

import dev.waybill.event.Event;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Guard and work in one transaction of its own: both are committed, or neither is. Safe for many
 * threads.
 */
public final class OneTransaction {

  /** What is done with the transaction of an event. */
  @FunctionalInterface
  public interface TransactionWork {

    void run(EventTransaction transaction) throws Exception;
  }

  private final DataSource dataSource;

  public OneTransaction(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Runs the work if the event is new, and commits. After anything but {@link Verdict.Admitted} the
   * transaction was rolled back.
   *
   * @throws TransactionUnavailableException if it is not the event's fault: no connection, the
   *     guard's statements failed for another reason than a conflict, or the database went away
   *     under the work or the commit
   * @throws Exception what else the work or the commit threw; the transaction was rolled back,
   *     unless the connection broke during the commit: then the guard knows at the next attempt
   */
  public Verdict run(GroupGuard guard, Event event, TransactionWork work) throws Exception {
    return borrowing(event, connection -> run(connection, guard, event, work));
  }

  /**
   * {@link GroupGuard#keepPlace}, committed.
   *
   * @throws TransactionUnavailableException if that was not possible
   */
  public void keepPlace(GroupGuard guard, Event event) {
    borrowing(
        event,
        connection -> {
          keepPlace(connection, guard, event);
          return true;
        });
  }

  private interface Use<T, X extends Exception> {
    T with(Connection connection) throws X;
  }

  private <T, X extends Exception> T borrowing(Event event, Use<T, X> use) throws X {
    Borrowed borrowed = borrow(event);
    Throwable failure = null;
    try {
      return use.with(borrowed.connection());
    } catch (Throwable t) {
      failure = t;
      throw t;
    } finally {
      borrowed.giveBack(failure);
    }
  }

  private static Verdict run(
      Connection connection, GroupGuard guard, Event event, TransactionWork work) throws Exception {
    Verdict verdict = admit(connection, guard, event);
    if (verdict instanceof Verdict.Admitted) {
      HandedConnection handed = new HandedConnection(connection, event.id());
      call(work, handed, connection, guard, event);
      commit(connection, handed, guard, event);
    } else {
      connection.rollback();
    }
    return verdict;
  }

  private static void call(
      TransactionWork work,
      HandedConnection handed,
      Connection connection,
      GroupGuard guard,
      Event event)
      throws Exception {
    try {
      work.run(handed::toHandler);
    } catch (Throwable failure) {
      if (handed.isAwayAfter(failure)) {
        throw wentAway(event, failure);
      }
      guard.tripwire().checkAfter(failure, connection, event);
      throw failure;
    } finally {
      handed.end();
    }
  }

  private static void commit(
      Connection connection, HandedConnection handed, GroupGuard guard, Event event)
      throws SQLException {
    try {
      guard.tripwire().check(connection, event);
      connection.commit();
    } catch (AbortedTransactionException e) {
      throw e.explainedBy(handed.conflict());
    } catch (SQLException e) {
      if (SqlFailure.of(e) == SqlFailure.UNAVAILABLE) {
        throw wentAway(event, e);
      }
      throw e;
    }
  }

  private static TransactionUnavailableException wentAway(Event event, Throwable failure) {
    return new TransactionUnavailableException(
        "The database went away while event %s was handled: %s"
            .formatted(event.id(), failure.getMessage()),
        failure);
  }

  /** Whatever a pool throws here, the event has not been looked at. */
  private Borrowed borrow(Event event) {
    try {
      return Borrowed.from(dataSource);
    } catch (SQLException | RuntimeException e) {
      throw new TransactionUnavailableException(
          "No connection for event %s: %s".formatted(event.id(), e.getMessage()), e);
    }
  }

  private static Verdict admit(Connection connection, GroupGuard guard, Event event)
      throws SQLException {
    try {
      return guard.admit(connection, event);
    } catch (SQLException e) {
      if (SqlFailure.isOfTheData(e)) {
        return new Verdict.Refused(
            "Event %s: the guard's tables cannot hold its identity: %s"
                .formatted(event.id(), e.getMessage()));
      }
      if (SqlFailure.of(e) == SqlFailure.CONFLICT) {
        throw e;
      }
      throw guardFailed(event, e);
    }
  }

  private static void keepPlace(Connection connection, GroupGuard guard, Event event) {
    try {
      guard.keepPlace(connection, event);
      connection.commit();
    } catch (SQLException e) {
      // An aggregate that the table cannot hold has no place in it, nor have its other events.
      if (!SqlFailure.isOfTheData(e)) {
        throw guardFailed(event, e);
      }
      rollBack(connection, event);
    }
  }

  private static void rollBack(Connection connection, Event event) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      throw guardFailed(event, e);
    }
  }

  private static TransactionUnavailableException guardFailed(Event event, SQLException failure) {
    return new TransactionUnavailableException(
        "The guard could not look at event %s; do the tables of consumer.sql exist, and may the"
                .formatted(event.id())
            + " user write to them? "
            + failure.getMessage(),
        failure);
  }

  /**
   * @param autoCommit as the connection came
   */
  private record Borrowed(Connection connection, boolean autoCommit) {

    static Borrowed from(DataSource dataSource) throws SQLException {
      Connection connection = dataSource.getConnection();
      try {
        boolean autoCommit = connection.getAutoCommit();
        if (autoCommit) {
          connection.setAutoCommit(false);
        } else {
          // A pool's test query may have begun a transaction, which has its isolation already.
          connection.rollback();
        }
        Optional<Dialect> dialect = Dialect.known(connection);
        if (dialect.isPresent()) {
          dialect.get().begin(connection);
        }
        return new Borrowed(connection, autoCommit);
      } catch (SQLException | RuntimeException e) {
        close(connection, e);
        throw e;
      }
    }

    /** Gives the connection back as it came, with nothing open. */
    void giveBack(@Nullable Throwable failure) {
      try {
        if (failure != null) {
          connection.rollback();
        }
        connection.setAutoCommit(autoCommit);
      } catch (SQLException | RuntimeException e) {
        suppress(failure, e);
      } finally {
        close(connection, failure);
      }
    }

    private static void close(Connection connection, @Nullable Throwable failure) {
      try {
        connection.close();
      } catch (SQLException | RuntimeException e) {
        suppress(failure, e);
      }
    }

    /** After a commit that worked there is nothing left that could go wrong for the event. */
    private static void suppress(@Nullable Throwable failure, Exception later) {
      if (failure != null && failure != later) {
        failure.addSuppressed(later);
      }
    }
  }
}
