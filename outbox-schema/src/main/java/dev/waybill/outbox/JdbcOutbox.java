package dev.waybill.outbox;

import dev.waybill.event.OutboxEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/** Immutable. */
final class JdbcOutbox implements Outbox {

  private final InsertStatement insert;
  private final Insertion insertion;

  JdbcOutbox(InsertStatement insert, Insertion insertion) {
    this.insert = insert;
    this.insertion = insertion;
  }

  @Override
  public void append(Connection connection, Collection<OutboxEvent> events) throws SQLException {
    requireTransaction(connection);
    List<OutboxEvent> all = List.copyOf(events);
    all.forEach(insert::requireRoomFor);
    insertion.insert(connection, all);
  }

  private void requireTransaction(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "No event was appended to %s: the connection is in auto-commit mode, where events would be announced whatever becomes of the business rows. Call setAutoCommit(false), write both, commit"
              .formatted(insert.table()));
    }
  }
}
