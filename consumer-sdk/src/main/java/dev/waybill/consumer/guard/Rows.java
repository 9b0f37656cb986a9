package dev.waybill.consumer.guard;

import dev.waybill.event.Event;
import java.sql.SQLException;

/** Every write says how many rows it expects. */
final class Rows {

  private Rows() {}

  static void expectOne(int rows, String table, Event event) throws SQLException {
    if (rows != 1) {
      throw new SQLException(
          "A write to %s for event %s changed %d rows instead of 1"
              .formatted(table, event.id(), rows));
    }
  }
}
