package dev.waybill.engine.capture;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of one consistent snapshot. The log begins at the transactions that were executed just
 * before it was opened, so that none is left out; those that were committed in between are in both,
 * and the log's copies are left out by the keys of the snapshot's rows.
 */
final class MySqlFirstStart implements FirstStart {

  private static final Logger LOG = LoggerFactory.getLogger(MySqlFirstStart.class);

  private final MySqlPosition position;
  private final SnapshotRows rows;
  private final SnapshotKeys keys;

  private MySqlFirstStart(MySqlPosition position, SnapshotRows rows, SnapshotKeys keys) {
    this.position = position;
    this.rows = rows;
    this.keys = keys;
  }

  @Override
  public MySqlPosition position() {
    return position;
  }

  /** Complete once all rows have been read. */
  SnapshotKeys overlap() {
    return keys;
  }

  @Override
  public List<Change> next() {
    List<Change> next = rows.next();
    next.forEach(keys::add);
    return next;
  }

  @Override
  public void close() {
    rows.close();
  }

  /** Reads where the log stands, then opens the snapshot. */
  static final class Opening {

    /**
     * An ALTER that comes between the two transactions waits for the first, and the second for it.
     * The server sees no deadlock in this, and all who write to the table wait as well.
     */
    private static final int LOCK_SECONDS = 2;

    private final SourceConfig config;
    private final MySqlConnections connections;
    private final Clock clock;

    Opening(SourceConfig config, MySqlConnections connections, Clock clock) {
      this.config = config;
      this.connections = connections;
      this.clock = clock;
    }

    /**
     * While one transaction has touched the tables, nobody can alter them: the columns are those at
     * the log's beginning and those of the snapshot.
     */
    MySqlFirstStart open(Rows rows) {
      try (Connection guard = connections.open()) {
        guard.setAutoCommit(false);
        touchTables(guard);
        MySqlLog begin = MySqlLog.read(guard);
        requireTransactions(begin);
        MySqlPosition position =
            new MySqlPosition(
                begin.executed(), null, begin.serverUuid(), begin.end(), columns(guard));
        LOG.info("The log is read from {} on, at {}", begin.executed(), begin.end());
        return rows == Rows.NONE ? withoutRows(position) : withRows(position, guard);
      } catch (SQLException e) {
        throw MySqlErrors.unavailable("beginning to read " + connections, e);
      }
    }

    /** Debezium 3.6 asks for no log behind an empty set. */
    private void requireTransactions(MySqlLog begin) {
      if (begin.executed().isEmpty()) {
        throw new SourceUnavailableException(
            connections
                + " has executed no transaction with a GTID yet, so that there is no place to begin"
                + " at: the engine begins behind the first one that is committed, be it to any"
                + " table",
            null);
      }
    }

    private MySqlFirstStart withoutRows(MySqlPosition position) {
      return new MySqlFirstStart(
          position,
          SnapshotRows.none(Dialect.MYSQL, config, clock),
          new SnapshotKeys(position.serverUuid(), position.place()));
    }

    private MySqlFirstStart withRows(MySqlPosition position, Connection guard) throws SQLException {
      Connection snapshot = openSnapshot();
      try {
        SnapshotKeys keys = new SnapshotKeys(position.serverUuid(), MySqlLog.read(guard).end());
        return new MySqlFirstStart(
            position, SnapshotRows.of(Dialect.MYSQL, snapshot, config, clock), keys);
      } catch (SQLException | RuntimeException e) {
        snapshot.close();
        throw e;
      }
    }

    Connection openSnapshot() throws SQLException {
      Connection connection = connections.openPatient();
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
        statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
        touchTables(connection);
        return connection;
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    }

    /** Takes the metadata lock of each, until the transaction ends; waits for none for long. */
    private void touchTables(Connection connection) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET SESSION lock_wait_timeout = " + LOCK_SECONDS);
        for (TableName table : config.tables()) {
          statement.execute("SELECT 1 FROM " + Dialect.MYSQL.table(table) + " LIMIT 0");
        }
      }
    }

    private SortedMap<TableName, MySqlColumns> columns(Connection connection) throws SQLException {
      SortedMap<TableName, MySqlColumns> columns = new TreeMap<>();
      for (TableName table : config.tables()) {
        MySqlColumns found = MySqlColumns.read(connection, table);
        if (found == null) {
          throw new SQLException("table " + table + " is gone");
        }
        columns.put(table, found);
      }
      return columns;
    }
  }
}
