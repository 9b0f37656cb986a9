package dev.waybill.it.load;

import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import org.postgresql.PGConnection;

/** The ways in which applications put rows into an outbox. None of them commits. */
public enum Insert {
  /** A statement for each row. */
  EACH {
    @Override
    public void rows(Connection connection, List<LoadEvent> events) throws SQLException {
      try (PreparedStatement insert = connection.prepareStatement(INTO + VALUES)) {
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
    public void rows(Connection connection, List<LoadEvent> events) throws SQLException {
      String values = String.join(", ", Collections.nCopies(events.size(), ROW));
      try (PreparedStatement insert = connection.prepareStatement(INTO + "VALUES " + values)) {
        for (int i = 0; i < events.size(); i++) {
          set(insert, i, events.get(i));
        }
        insert.executeUpdate();
      }
    }
  },

  /** A JDBC batch; on a connection with {@code reWriteBatchedInserts} few statements. */
  BATCH {
    @Override
    public void rows(Connection connection, List<LoadEvent> events) throws SQLException {
      try (PreparedStatement insert = connection.prepareStatement(INTO + VALUES)) {
        for (LoadEvent event : events) {
          set(insert, 0, event);
          insert.addBatch();
        }
        insert.executeBatch();
      }
    }
  },

  /** COPY: many rows share one place in the log. */
  COPY {
    @Override
    public void rows(Connection connection, List<LoadEvent> events) throws SQLException {
      StringBuilder csv = new StringBuilder();
      for (LoadEvent event : events) {
        csv.append(event.id()).append(',');
        csv.append(event.aggregateType()).append(',').append(event.aggregateId()).append(',');
        csv.append(event.version()).append(",Changed,");
        csv.append('"').append(event.payload().replace("\"", "\"\"")).append("\"\n");
      }
      try {
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyIn("COPY " + TABLE + " FROM STDIN (FORMAT csv)", new StringReader(csv.toString()));
      } catch (IOException e) {
        throw new SQLException(e);
      }
    }
  };

  private static final String TABLE =
      "outbox_event (event_id, aggregate_type, aggregate_id, aggregate_version, event_type, payload)";
  private static final String INTO = "INSERT INTO " + TABLE + " ";
  private static final String ROW = "(?, ?, ?, ?, ?, ?::json)";
  private static final String VALUES = "VALUES " + ROW;
  private static final int COLUMNS = 6;

  /** Inserts the rows in the transaction that is open. */
  public abstract void rows(Connection connection, List<LoadEvent> events) throws SQLException;

  private static void set(PreparedStatement insert, int row, LoadEvent event) throws SQLException {
    int before = row * COLUMNS;
    insert.setString(before + 1, event.id());
    insert.setString(before + 2, event.aggregateType());
    insert.setString(before + 3, event.aggregateId());
    insert.setLong(before + 4, event.version());
    insert.setString(before + 5, "Changed");
    insert.setString(before + 6, event.payload());
  }
}
