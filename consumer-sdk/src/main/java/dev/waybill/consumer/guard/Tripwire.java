package dev.waybill.consumer.guard;

import dev.waybill.event.Event;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether the transaction that is about to be ended is still the one in which the guard
 * wrote its rows. Immutable, safe for many threads.
 *
 * <p>PostgreSQL: what fails aborts the transaction, and the driver may commit an aborted one
 * without saying that the server rolled it back. A guard's row is read again.
 *
 * <p>MySQL: a deadlock rolls back all that came before it, and what comes after it is a transaction
 * of its own; DDL commits all that came before it. A savepoint survives neither, and is taken back
 * in the round trip in which the row would be read. If it is gone, the row says which of the two it
 * was.
 */
final class Tripwire {

  private final String group;
  private final List<Check> checks;

  Tripwire(String group, List<Check> checks) {
    this.group = group;
    this.checks = checks;
  }

  /** To be called once the event is admitted; then {@link #check} or {@link #checkAfter}. */
  void set(Connection connection, Event event) throws SQLException {
    Optional<Dialect> marking = marking(connection);
    if (marking.isPresent()) {
      marking.get().mark(connection, mark(event));
    }
  }

  /**
   * To be called when the work has returned, just before the commit.
   *
   * @throws AbortedTransactionException if the guard's rows are gone
   * @throws CommittedTransactionException if they are committed already
   */
  void check(Connection connection, Event event) throws SQLException {
    try {
      if (!isWhole(connection, event)) {
        throw new AbortedTransactionException(
            "The transaction of event %s was rolled back inside the handler, the guard's row is gone"
                .formatted(event.id()),
            null);
      }
    } catch (SQLException e) {
      if (SqlFailure.IN_FAILED_TRANSACTION.equals(e.getSQLState())) {
        throw new AbortedTransactionException(
            "The transaction of event %s was aborted inside the handler, which went on regardless"
                .formatted(event.id()),
            e);
      }
      throw e;
    }
  }

  /**
   * To be called when the work has failed, just before the rollback.
   *
   * @throws CommittedTransactionException if the rollback cannot take back all of it
   */
  void checkAfter(Throwable failure, Connection connection, Event event) {
    try {
      Optional<Dialect> marking = marking(connection);
      if (marking.isPresent() && !marking.get().takeMark(connection, mark(event))) {
        expectNothingLeft(connection, marking.get(), event, failure);
      }
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  private boolean isWhole(Connection connection, Event event) throws SQLException {
    Optional<Dialect> marking = marking(connection);
    if (marking.isPresent()) {
      boolean whole = marking.get().takeMark(connection, mark(event));
      if (!whole) {
        expectNothingLeft(connection, marking.get(), event, null);
      }
      return whole;
    }
    Optional<Check> witness = witness(event);
    return witness.isPresent()
        ? witness.get().holds(connection, group, event)
        : isAlive(connection);
  }

  private void expectNothingLeft(
      Connection connection, Dialect dialect, Event event, @Nullable Throwable failure)
      throws SQLException {
    Optional<Check> witness = witness(event);
    if (witness.isPresent() && mayHaveLeft(witness.get(), connection, dialect, event)) {
      throw new CommittedTransactionException(event.id(), failure);
    }
  }

  /** Where the answer is an error, as after LOCK TABLES, which commits, the worse is assumed. */
  private boolean mayHaveLeft(Check witness, Connection connection, Dialect dialect, Event event)
      throws SQLException {
    try {
      return witness.hasLeft(connection, dialect, group, event);
    } catch (SQLException e) {
      if (SqlFailure.of(e) == SqlFailure.OTHER) {
        return true;
      }
      throw e;
    }
  }

  /** A guard may stand open in front of a database that it does not know. */
  private static Optional<Dialect> marking(Connection connection) throws SQLException {
    return Dialect.known(connection).filter(Dialect::marks);
  }

  /** Guards may be nested, and a savepoint takes the place of another one of its name. */
  private String mark(Event event) {
    return "waybill_" + Integer.toHexString(Objects.hash(group, event.id()));
  }

  /** Whose row tells what became of the transaction. */
  private Optional<Check> witness(Event event) {
    return checks.stream().filter(check -> check.writesFor(event)).findFirst();
  }

  /** Any statement shows whether the transaction is still alive. */
  private static boolean isAlive(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT 1")) {
      return row.next();
    }
  }
}
