package dev.waybill.outbox;

import dev.waybill.event.OutboxEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;

/** Immutable. */
final class JdbcOutbox implements Outbox {

  private final InsertStatement insert;

  JdbcOutbox(InsertStatement insert) {
    this.insert = insert;
  }

  @Override
  public void append(Connection connection, Collection<OutboxEvent> events) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "Events were not appended to %s: the connection is in auto-commit mode, so they would be announced even if what they announce is rolled back. Append in the transaction that writes the business rows (setAutoCommit(false))"
              .formatted(insert.table()));
    }
    List<OutboxEvent> batch = List.copyOf(events);
    batch.forEach(insert::requireRoomFor);
    if (!batch.isEmpty()) {
      insert(connection, batch);
    }
  }

  private void insert(Connection connection, List<OutboxEvent> events) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insert.sql())) {
      for (OutboxEvent event : events) {
        insert.bind(statement, event);
        statement.addBatch();
      }
      requireEachInserted(events, statement.executeBatch());
    } catch (SQLException e) {
      throw naming(events, e);
    }
  }

  private void requireEachInserted(List<OutboxEvent> events, int[] counts) throws SQLException {
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] != 1 && counts[i] != Statement.SUCCESS_NO_INFO) {
        throw new SQLException(
            "Event %s was not inserted into %s: %d rows instead of one. A trigger or rule?"
                .formatted(events.get(i).describe(), insert.table(), counts[i]));
      }
    }
  }

  private SQLException naming(List<OutboxEvent> events, SQLException e) {
    return e;
  }
}
