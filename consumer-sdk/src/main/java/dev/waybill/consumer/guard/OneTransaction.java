package dev.waybill.consumer.guard;

import dev.waybill.event.Event;
import java.sql.Connection;
import java.sql.SQLException;
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
   * @throws GuardUnavailableException if the handler was not called: no connection, or the guard's
   *     statements failed for another reason than a conflict
   * @throws Exception what the work or the commit threw; the transaction was rolled back, unless
   *     the connection broke during the commit: then the guard knows at the next attempt
   */
  public Verdict run(GroupGuard guard, Event event, TransactionWork work) throws Exception {
    Borrowed borrowed = borrow(event);
    Throwable failure = null;
    try {
      return run(borrowed.connection(), guard, event, work);
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
      try {
        work.run(handed::toHandler);
      } finally {
        handed.end();
      }
      guard.seal(connection, event);
      connection.commit();
    } else {
      connection.rollback();
    }
    return verdict;
  }

  /** Whatever a pool throws here, the event has not been looked at. */
  private Borrowed borrow(Event event) {
    try {
      return Borrowed.from(dataSource);
    } catch (SQLException | RuntimeException e) {
      throw new GuardUnavailableException(
          "No connection for event %s: %s".formatted(event.id(), e.getMessage()), e);
    }
  }

  private static Verdict admit(Connection connection, GroupGuard guard, Event event)
      throws SQLException {
    try {
      return guard.admit(connection, event);
    } catch (SQLException e) {
      if (SqlFailure.of(e) == SqlFailure.CONFLICT) {
        throw e;
      }
      throw new GuardUnavailableException(
          "The guard could not look at event %s; do the tables of consumer.sql exist, and may the"
                  .formatted(event.id())
              + " user write to them? "
              + e.getMessage(),
          e);
    }
  }

  /**
   * @param autoCommit as the connection came
   */
  private record Borrowed(Connection connection, boolean autoCommit) {

    static Borrowed from(DataSource dataSource) throws SQLException {
      Connection connection = dataSource.getConnection();
      try {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
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
