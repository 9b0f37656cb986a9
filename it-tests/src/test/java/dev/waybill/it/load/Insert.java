package dev.waybill.it.load;

import dev.waybill.it.world.Vendor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/** The ways in which applications put rows into an outbox. None of them commits. */
public enum Insert {
  /** A statement for each row. */
  EACH {
    @Override
    public void rows(Vendor vendor, Connection connection, List<LoadEvent> events)
        throws SQLException {
      try (PreparedStatement insert = connection.prepareStatement(into(vendor, 1))) {
        for (LoadEvent event : events) {
          set(insert, 0, event);
          insert.executeUpdate();
        }
      }
    }
  },

  /** One statement with all rows. */
  TOGETHER {
    @Override
    public void rows(Vendor vendor, Connection connection, List<LoadEvent> events)
        throws SQLException {
      String sql = into(vendor, events.size());
      try (PreparedStatement insert = connection.prepareStatement(sql)) {
        for (int i = 0; i < events.size(); i++) {
          set(insert, i, events.get(i));
        }
        insert.executeUpdate();
      }
    }
  },

  /** A JDBC batch; few statements on a connection that rewrites batches. */
  BATCH {
    @Override
    public void rows(Vendor vendor, Connection connection, List<LoadEvent> events)
        throws SQLException {
      try (PreparedStatement insert = connection.prepareStatement(into(vendor, 1))) {
        for (LoadEvent event : events) {
          set(insert, 0, event);
          insert.addBatch();
        }
        insert.executeBatch();
      }
    }
  },

  /** COPY or LOAD DATA: many rows share one place in the log. */
  BULK {
    @Override
    public void rows(Vendor vendor, Connection connection, List<LoadEvent> events)
        throws SQLException {
      StringBuilder csv = new StringBuilder();
      for (LoadEvent event : events) {
        csv.append(event.id()).append(',');
        csv.append(event.aggregateType()).append(',').append(event.aggregateId()).append(',');
        csv.append(event.version()).append(",Changed,");
        csv.append('"').append(event.payload().replace("\"", "\"\"")).append("\"\n");
      }
      vendor.bulkLoad(connection, TABLE, COLUMNS, csv.toString());
    }
  };

  private static final String TABLE = "outbox_event";
  private static final String COLUMNS =
      "(event_id, aggregate_type, aggregate_id, aggregate_version, event_type, payload)";
  private static final int PARAMETERS = 6;

  /** Inserts the rows in the transaction that is open. */
  public abstract void rows(Vendor vendor, Connection connection, List<LoadEvent> events)
      throws SQLException;

  private static String into(Vendor vendor, int rows) {
    String row = "(?, ?, ?, ?, ?, " + vendor.json("?") + ")";
    return "INSERT INTO "
        + TABLE
        + " "
        + COLUMNS
        + " VALUES "
        + String.join(", ", Collections.nCopies(rows, row));
  }

  private static void set(PreparedStatement insert, int row, LoadEvent event) throws SQLException {
    int before = row * PARAMETERS;
    insert.setString(before + 1, event.id());
    insert.setString(before + 2, event.aggregateType());
    insert.setString(before + 3, event.aggregateId());
    insert.setLong(before + 4, event.version());
    insert.setString(before + 5, "Changed");
    insert.setString(before + 6, event.payload());
  }
}
