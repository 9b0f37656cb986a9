package dev.waybill.consumer.guard;

import static java.util.Objects.requireNonNull;

import dev.waybill.event.Event;
import dev.waybill.event.EventRules;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the last version of each aggregate in {@code aggregate_version}.
 *
 * <p>The row is moved by a conditional update and made by insert-if-new: one round trip for an
 * event in order. It is never locked to be looked at first: locking a row that is not there yet
 * deadlocks two consumers on InnoDB.
 */
final class VersionCheck implements Check {

  private static final ColumnLimit AGGREGATE_TYPE =
      new ColumnLimit("aggregate_type", EventRules.MAX_AGGREGATE_TYPE);
  private static final ColumnLimit AGGREGATE_ID =
      new ColumnLimit("aggregate_id", EventRules.MAX_AGGREGATE_ID);

  /** Each lap is lost only to another consumer that moved the row in between. */
  private static final int LAPS = 5;

  /** With which the history of an aggregate usually begins. */
  private static final long FIRST = 1;

  private static final String KEY =
      " WHERE consumer_group = ? AND aggregate_type = ? AND aggregate_id = ?";
  private static final String MOVE =
      "UPDATE aggregate_version SET version = ?, updated_at = %s" + KEY + " AND version = ?";
  private static final String INSERT =
      "INSERT INTO aggregate_version (version, consumer_group, aggregate_type, aggregate_id)"
          + " VALUES (?, ?, ?, ?)";
  private static final String SELECT = "SELECT version FROM aggregate_version" + KEY;

  private final GapPolicy gaps;

  VersionCheck(GapPolicy gaps) {
    this.gaps = gaps;
  }

  @Override
  public int order() {
    return 1;
  }

  @Override
  public boolean writesFor(Event event) {
    return isVersioned(event);
  }

  @Override
  public @Nullable String problem(Event event, Dialect dialect) {
    if (!isVersioned(event)) {
      return null;
    }
    String type = AGGREGATE_TYPE.problem(requireNonNull(event.aggregateType()), dialect);
    return type != null ? type : AGGREGATE_ID.problem(requireNonNull(event.aggregateId()), dialect);
  }

  @Override
  public Verdict admit(Connection connection, Dialect dialect, String group, Event event)
      throws SQLException {
    if (!isVersioned(event)) {
      return new Verdict.Admitted(Passage.UNVERSIONED);
    }
    long version = requireNonNull(event.aggregateVersion());
    // A row that is not there must not be asked for first: at REPEATABLE READ, InnoDB locks the
    // gap.
    if (version > FIRST && move(connection, dialect, group, event, version - 1)) {
      return new Verdict.Admitted(Passage.IN_ORDER);
    }
    for (int lap = 0; lap < LAPS; lap++) {
      if (insert(connection, dialect, group, event, version)) {
        return new Verdict.Admitted(Passage.IN_ORDER);
      }
      OptionalLong last = last(connection, dialect.latest(SELECT), group, event);
      if (last.isPresent()) {
        Verdict verdict = VersionRule.judge(version, last.getAsLong(), gaps);
        if (!(verdict instanceof Verdict.Admitted)
            || move(connection, dialect, group, event, last.getAsLong())) {
          return verdict;
        }
      }
    }
    throw new SQLTransactionRollbackException(
        "Other consumers moved the version of %s %s at every attempt to check event %s"
            .formatted(event.aggregateType(), event.aggregateId(), event.id()),
        "40001");
  }

  /** Not needed: this check is the last one, and it wrote nothing if it did not admit. */
  @Override
  public void withdraw(Connection connection, String group, Event event) {
    throw new UnsupportedOperationException("The version check is the last one");
  }

  /** Remembers an aggregate that was never seen as if the event before this one was its last. */
  @Override
  public void keepPlace(Connection connection, Dialect dialect, String group, Event event)
      throws SQLException {
    if (isVersioned(event)) {
      insert(connection, dialect, group, event, requireNonNull(event.aggregateVersion()) - 1);
    }
  }

  @Override
  public boolean holds(Connection connection, String group, Event event) throws SQLException {
    OptionalLong last = last(connection, SELECT, group, event);
    return last.isPresent() && last.getAsLong() == requireNonNull(event.aggregateVersion());
  }

  /** Versions do not tell who moved them. */
  @Override
  public boolean hasLeft(Connection connection, Dialect dialect, String group, Event event)
      throws SQLException {
    return holds(connection, group, event);
  }

  private static boolean isVersioned(Event event) {
    return event.aggregateVersion() != null
        && event.aggregateType() != null
        && event.aggregateId() != null;
  }

  private static boolean move(
      Connection connection, Dialect dialect, String group, Event event, long from)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(MOVE.formatted(dialect.now()))) {
      update.setLong(1, requireNonNull(event.aggregateVersion()));
      bindKey(update, group, event);
      update.setLong(5, from);
      return update.executeUpdate() == 1;
    }
  }

  private static boolean insert(
      Connection connection, Dialect dialect, String group, Event event, long version)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(dialect.insertIfNew(INSERT))) {
      insert.setLong(1, version);
      bindKey(insert, group, event);
      return dialect.execute(insert) == 1;
    }
  }

  private static OptionalLong last(Connection connection, String query, String group, Event event)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(query)) {
      select.setString(1, group);
      select.setString(2, event.aggregateType());
      select.setString(3, event.aggregateId());
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  private static void bindKey(PreparedStatement statement, String group, Event event)
      throws SQLException {
    statement.setString(2, group);
    statement.setString(3, event.aggregateType());
    statement.setString(4, event.aggregateId());
  }
}
