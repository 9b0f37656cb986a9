package dev.waybill.outbox;

import dev.waybill.event.OutboxEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Statements of equal size, all sent together, for databases where a failed statement fails its
 * transaction.
 */
record InOneBatch(InsertStatement insert) implements Insertion {

  @Override
  public void insert(Connection connection, List<OutboxEvent> events) throws SQLException {
    int rest = events.size() % ROWS;
    insert(connection, ROWS, events.subList(0, events.size() - rest));
    insert(connection, rest, events.subList(events.size() - rest, events.size()));
  }

  private void insert(Connection connection, int rows, List<OutboxEvent> events)
      throws SQLException {
    if (events.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(insert.sql(rows))) {
      for (int from = 0; from < events.size(); from += rows) {
        insert.bind(statement, events.subList(from, from + rows));
        statement.addBatch();
      }
      requireInserted(rows, statement.executeBatch());
    } catch (SQLException e) {
      throw insert.failure(events, e);
    }
  }

  private static void requireInserted(int rows, int[] counts) throws SQLException {
    for (int count : counts) {
      if (count != Statement.SUCCESS_NO_INFO) {
        Insertion.requireInserted(rows, count);
      }
    }
  }
}
