package dev.waybill.outbox;

import dev.waybill.event.OutboxEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** How the rows of one call get into the table. */
interface Insertion {

  /**
   * Rows of one INSERT. Measured on PostgreSQL 16 with 280-byte payloads: a batch of one-row
   * statements took 30 µs an event, statements of 16 to 128 rows 13 µs, whether or not the driver
   * rewrites batches. 128 rows put every ordinary transaction's events into one round trip.
   */
  int ROWS = 128;

  /**
   * In their order, in few round trips. After a failure, none of them is in the transaction if that
   * can be committed at all.
   */
  void insert(Connection connection, List<OutboxEvent> events) throws SQLException;

  static void requireInserted(int rows, int count) throws SQLException {
    if (count != rows) {
      throw new SQLException(
          "%d rows were inserted instead of %d; a trigger or a rule of the table may drop them"
              .formatted(count, rows));
    }
  }
}
