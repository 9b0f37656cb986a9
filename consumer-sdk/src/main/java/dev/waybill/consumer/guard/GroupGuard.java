package dev.waybill.consumer.guard;

import dev.waybill.event.Event;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A guard at work for one consumer group. {@link dev.waybill.consumer.EventConsumer} uses it, and
 * so may any other poll loop. Immutable, safe for many threads.
 */
public final class GroupGuard {

  private static final ColumnLimit GROUP = new ColumnLimit("consumer_group", 255);

  private final String group;
  private final List<Check> checks;
  private final Tripwire tripwire;

  GroupGuard(String group, List<Check> checks) {
    this.group = group;
    this.checks = checks;
    this.tripwire = new Tripwire(group, checks);
    String problem = GROUP.problem(group, Dialect.H2);
    if (problem != null) {
      throw new IllegalArgumentException("Group '" + group + "' cannot be guarded: " + problem);
    }
  }

  public String group() {
    return group;
  }

  /**
   * Runs the work if the event is new to the group, inside the transaction that is open on the
   * connection. The caller ends that transaction: once it is committed, the event has taken effect.
   * If the event is not new, nothing was written.
   *
   * <p>When this throws, the transaction must be rolled back; the event has then not been seen.
   * Commit the offset of the event only after the transaction.
   *
   * @param connection with auto-commit off
   * @throws IllegalStateException if auto-commit is on
   * @throws AbortedTransactionException if the work returned, but the guard's rows are gone
   * @throws CommittedTransactionException if the work has committed, as far as the database tells
   *     (MySQL): the event has been seen then, and a rollback does not take back what was written
   * @throws SQLException if the guard's own statements fail
   * @throws X what the work throws
   */
  public <X extends Exception> Verdict once(Connection connection, Event event, Work<X> work)
      throws SQLException, X {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "Event %s was not guarded: the connection commits every statement by itself; call"
                  .formatted(event.id())
              + " setAutoCommit(false) first");
    }
    Verdict verdict = admit(connection, event);
    if (verdict instanceof Verdict.Admitted) {
      try {
        work.run();
      } catch (Throwable failure) {
        tripwire.checkAfter(failure, connection, event);
        throw failure;
      }
      tripwire.check(connection, event);
    }
    return verdict;
  }

  /**
   * To be called before an event is set aside, in a transaction that is committed without its
   * effects: if its aggregate was never seen, its successors are gaps until it came. Without this,
   * the next version would be the baseline and the event that was set aside be stale for ever.
   * Writes nothing if versions are not checked, and nothing that a column cannot hold.
   */
  public void keepPlace(Connection connection, Event event) throws SQLException {
    Dialect dialect = Dialect.of(connection);
    for (Check check : checks) {
      if (check.problem(event, dialect) == null) {
        check.keepPlace(connection, dialect, group, event);
      }
    }
  }

  /**
   * The part of this guard that must see every event, also those that nobody handles: versions.
   * Without it, an event that is not handled would be a gap to its successors.
   */
  public GroupGuard onlyVersions() {
    return new GroupGuard(
        group, checks.stream().filter(check -> check instanceof VersionCheck).toList());
  }

  /** Whether nothing is checked. */
  public boolean isOpen() {
    return checks.isEmpty();
  }

  /** What follows an admission is the {@link #tripwire}'s. */
  Verdict admit(Connection connection, Event event) throws SQLException {
    Verdict verdict =
        checks.isEmpty() ? new Verdict.Admitted(Passage.IN_ORDER) : look(connection, event);
    if (verdict instanceof Verdict.Admitted) {
      tripwire.set(connection, event);
    }
    return verdict;
  }

  Tripwire tripwire() {
    return tripwire;
  }

  private Verdict look(Connection connection, Event event) throws SQLException {
    Dialect dialect = Dialect.of(connection);
    String problem = problem(event, dialect);
    if (problem != null) {
      return new Verdict.Refused("Event %s: %s".formatted(event.id(), problem));
    }
    Verdict verdict = new Verdict.Admitted(Passage.IN_ORDER);
    List<Check> passed = new ArrayList<>();
    for (Check check : checks) {
      verdict = check.admit(connection, dialect, group, event);
      if (!(verdict instanceof Verdict.Admitted)) {
        for (Check earlier : passed) {
          earlier.withdraw(connection, group, event);
        }
        return verdict;
      }
      passed.add(check);
    }
    return verdict;
  }

  private @Nullable String problem(Event event, Dialect dialect) {
    for (Check check : checks) {
      String problem = check.problem(event, dialect);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }
}
