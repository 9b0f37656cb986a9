package dev.waybill.consumer.guard;

import dev.waybill.event.Event;
import dev.waybill.event.EventRules;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Remembers event ids in {@code consumed_event}. */
final class InboxCheck implements Check {

  private static final ColumnLimit EVENT_ID = new ColumnLimit("event_id", EventRules.MAX_EVENT_ID);
  private static final int EVENT_TYPE_LENGTH = 255;

  private static final String INSERT =
      "INSERT INTO consumed_event (consumer_group, event_id, event_type, claim_token)"
          + " VALUES (?, ?, ?, %s)";
  private static final String DELETE =
      "DELETE FROM consumed_event WHERE consumer_group = ? AND event_id = ?";
  private static final String SELECT =
      "SELECT 1 FROM consumed_event WHERE consumer_group = ? AND event_id = ?";

  @Override
  public int order() {
    return 0;
  }

  @Override
  public boolean writesFor(Event event) {
    return true;
  }

  @Override
  public @Nullable String problem(Event event, Dialect dialect) {
    return EVENT_ID.problem(event.id(), dialect);
  }

  /** Only the count of this statement says "duplicate", never an error. */
  @Override
  public Verdict admit(Connection connection, Dialect dialect, String group, Event event)
      throws SQLException {
    String sql = dialect.insertIfNew(INSERT.formatted(dialect.session()));
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setString(1, group);
      insert.setString(2, event.id());
      insert.setString(3, typeForPeople(event));
      return dialect.execute(insert) == 1
          ? new Verdict.Admitted(Passage.IN_ORDER)
          : new Verdict.Duplicate();
    }
  }

  @Override
  public void withdraw(Connection connection, String group, Event event) throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
      delete.setString(1, group);
      delete.setString(2, event.id());
      Rows.expectOne(delete.executeUpdate(), "consumed_event", event);
    }
  }

  /** To an inbox, events have no order. */
  @Override
  public void keepPlace(Connection connection, Dialect dialect, String group, Event event) {}

  @Override
  public boolean holds(Connection connection, String group, Event event) throws SQLException {
    return isThere(connection, SELECT, group, event);
  }

  /** The claim tells the row from that of another consumer, to whom a rollback gave way. */
  @Override
  public boolean hasLeft(Connection connection, Dialect dialect, String group, Event event)
      throws SQLException {
    return isThere(connection, SELECT + " AND claim_token = " + dialect.session(), group, event);
  }

  private static boolean isThere(Connection connection, String query, String group, Event event)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(query)) {
      select.setString(1, group);
      select.setString(2, event.id());
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    }
  }

  /** Nothing is decided by this column: what does not fit is cut. */
  private static @Nullable String typeForPeople(Event event) {
    String type = event.type();
    if (type == null) {
      return null;
    }
    String legal = type.replace('\0', ' ');
    int length = Math.min(EVENT_TYPE_LENGTH, legal.codePointCount(0, legal.length()));
    return legal.substring(0, legal.offsetByCodePoints(0, length));
  }
}
