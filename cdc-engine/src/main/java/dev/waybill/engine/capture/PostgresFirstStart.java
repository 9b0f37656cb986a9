package dev.waybill.engine.capture;

import dev.waybill.engine.capture.FirstStart.Rows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows that the snapshot exported with the slot sees: exactly those committed before the slot's
 * consistent point, where the log begins. The replication connection keeps the snapshot until the
 * reading transaction has taken it over.
 */
final class PostgresFirstStart implements FirstStart {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresFirstStart.class);

  private final PostgresPosition position;
  private final SnapshotRows rows;

  private PostgresFirstStart(PostgresPosition position, SnapshotRows rows) {
    this.position = position;
    this.rows = rows;
  }

  @Override
  public Position position() {
    return position;
  }

  @Override
  public List<Change> next() {
    return rows.next();
  }

  @Override
  public void close() {
    rows.close();
  }

  /** Makes publication, slot and snapshot, in this order: pgoutput wants the publication first. */
  static final class Opening {

    /** How long a new slot waits for the transactions that were running when it was made. */
    private static final int SLOT_SECONDS = 300;

    private final SourceConfig config;
    private final PostgresNames names;
    private final PostgresConnections connections;
    private final Clock clock;

    Opening(SourceConfig config, PostgresConnections connections, Clock clock) {
      this.config = config;
      this.names = PostgresNames.of(config);
      this.connections = connections;
      this.clock = clock;
    }

    FirstStart open(Rows rows) {
      try (Connection connection = connections.open()) {
        PostgresPublication.of(config).createIfMissing(connection);
        dropSlot(connection);
      } catch (SQLException e) {
        throw PostgresErrors.unavailable(
            "preparing slot " + names.slot() + " of " + connections, e);
      }
      return createSlot(rows);
    }

    private void dropSlot(Connection connection) throws SQLException {
      PostgresSlot old = PostgresSlot.find(connection, names.slot());
      if (old != null) {
        LOG.info(
            "Dropping slot {} at {}: the first start begins anew",
            names.slot(),
            PostgresPosition.format(old.confirmedLsn()));
        old.free(connection);
        old.drop(connection);
      }
    }

    private FirstStart createSlot(Rows rows) {
      try (Connection replication = connections.openReplication();
          Statement command = replication.createStatement()) {
        command.setQueryTimeout(SLOT_SECONDS);
        try (ResultSet created =
            command.executeQuery(
                "CREATE_REPLICATION_SLOT " + Sql.identifier(names.slot()) + " LOGICAL pgoutput")) {
          created.next();
          PostgresPosition start =
              PostgresPosition.at(PostgresPosition.parseLsn(created.getString("consistent_point")));
          String snapshot = created.getString("snapshot_name");
          LOG.info("Slot {} begins at {}", names.slot(), start.lsnText());
          return new PostgresFirstStart(
              start,
              rows == Rows.NONE
                  ? SnapshotRows.none(Dialect.POSTGRES, config, clock)
                  : SnapshotRows.of(Dialect.POSTGRES, openSnapshot(snapshot), config, clock));
        }
      } catch (SQLException e) {
        throw PostgresErrors.unavailable(
            "creating slot "
                + names.slot()
                + " of "
                + connections
                + " (it waits for the transactions that run meanwhile, see pg_stat_activity)",
            e);
      }
    }

    /** Takes the snapshot over; whoever exported it may forget it afterwards. */
    private Connection openSnapshot(String snapshot) throws SQLException {
      Connection connection = connections.openPatient();
      try (Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
        statement.execute("SET TRANSACTION SNAPSHOT " + Sql.literal(snapshot));
        return connection;
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    }
  }
}
