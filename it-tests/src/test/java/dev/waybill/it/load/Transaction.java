package dev.waybill.it.load;

import dev.waybill.it.world.Vendor;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;

/** One transaction on one connection, and what its end means for the ledger. */
final class Transaction {

  private final Vendor vendor;
  private final Connection connection;
  private final List<LoadEvent> inserted = new ArrayList<>();

  Transaction(Vendor vendor, Connection connection) {
    this.vendor = vendor;
    this.connection = connection;
  }

  List<LoadEvent> inserted() {
    return List.copyOf(inserted);
  }

  void insert(Insert how, List<LoadEvent> events) throws SQLException {
    how.rows(vendor, connection, events);
    inserted.addAll(events);
  }

  void insertAndRollBackToSavepoint(Insert how, List<LoadEvent> events) throws SQLException {
    Savepoint before = connection.setSavepoint();
    how.rows(vendor, connection, events);
    connection.rollback(before);
  }

  void delete(List<LoadEvent> events) throws SQLException {
    try (var delete = connection.prepareStatement("DELETE FROM outbox_event WHERE event_id = ?")) {
      for (LoadEvent event : events) {
        delete.setString(1, event.id());
        if (delete.executeUpdate() != 1) {
          throw new IllegalStateException("there is no row to delete of event " + event.id());
        }
      }
    }
  }

  void commit() throws SQLException {
    connection.commit();
  }

  void rollBack() throws SQLException {
    connection.rollback();
  }
}
