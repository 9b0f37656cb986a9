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

  /**
   * Rows of one INSERT. Measured on PostgreSQL 16 with 280-byte payloads: a batch of one-row
   * statements took 30 µs an event, statements of 16 to 128 rows 13 µs, whether or not the driver
   * rewrites batches. 128 rows put every ordinary transaction's events into one round trip.
   */
  private static final int ROWS = 128;

  private final InsertStatement insert;

  JdbcOutbox(InsertStatement insert) {
    this.insert = insert;
  }

  @Override
  public void append(Connection connection, Collection<OutboxEvent> events) throws SQLException {
    requireTransaction(connection);
    List<OutboxEvent> all = List.copyOf(events);
    all.forEach(insert::requireRoomFor);
    int rest = all.size() % ROWS;
    insert(connection, ROWS, all.subList(0, all.size() - rest));
    insert(connection, rest, all.subList(all.size() - rest, all.size()));
  }

  private void requireTransaction(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "No event was appended to %s: the connection is in auto-commit mode, where events would be announced whatever becomes of the business rows. Call setAutoCommit(false), write both, commit"
              .formatted(insert.table()));
    }
  }

  /** In statements of {@code rows} each, all sent together. */
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
      throw AppendFailure.of(insert.table(), events, e);
    }
  }

  private static void requireInserted(int rows, int[] counts) throws SQLException {
    for (int count : counts) {
      if (count != rows && count != Statement.SUCCESS_NO_INFO) {
        throw new SQLException(
            "%d rows were inserted instead of %d; a trigger or a rule of the table may drop them"
                .formatted(count, rows));
      }
    }
  }
}
