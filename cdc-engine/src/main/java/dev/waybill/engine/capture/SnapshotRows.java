package dev.waybill.engine.capture;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of all outbox tables in one snapshot, table by table, few in memory at a time. Confined
 * to one thread.
 */
final class SnapshotRows implements AutoCloseable {

  private static final int PORTION_ROWS = 1_000;
  private static final int PORTION_BYTES = 4 << 20;

  private final Dialect dialect;
  private final @Nullable Connection connection;
  private final SourceConfig.Columns columns;
  private final Clock clock;
  private final Deque<TableName> tables;
  private @Nullable SnapshotTable table;

  private SnapshotRows(
      Dialect dialect,
      @Nullable Connection connection,
      SourceConfig.Columns columns,
      List<TableName> tables,
      Clock clock) {
    this.dialect = dialect;
    this.connection = connection;
    this.columns = columns;
    this.tables = new ArrayDeque<>(tables);
    this.clock = clock;
  }

  static SnapshotRows none(Dialect dialect, SourceConfig config, Clock clock) {
    return new SnapshotRows(dialect, null, config.columns(), List.of(), clock);
  }

  /**
   * Those that {@code snapshot} sees.
   *
   * @param snapshot a connection whose transaction is that snapshot; closed with the rows
   */
  static SnapshotRows of(Dialect dialect, Connection snapshot, SourceConfig config, Clock clock) {
    return new SnapshotRows(dialect, snapshot, config.columns(), config.tables(), clock);
  }

  List<Change> next() {
    try {
      return read(clock.instant());
    } catch (SQLException e) {
      throw dialect.unavailable("reading the rows of the first start", e);
    }
  }

  private List<Change> read(Instant now) throws SQLException {
    List<Change> portion = new ArrayList<>();
    long bytes = 0;
    while (portion.size() < PORTION_ROWS && bytes < PORTION_BYTES) {
      Change change = nextRow(now);
      if (change == null) {
        break;
      }
      portion.add(change);
      byte[] payload = change.row().payload();
      bytes += payload == null ? 0 : payload.length;
    }
    return portion;
  }

  private @Nullable Change nextRow(Instant now) throws SQLException {
    while (true) {
      Change change = table == null ? null : table.next(now);
      if (change != null) {
        return change;
      }
      if (!openNextTable()) {
        return null;
      }
    }
  }

  private boolean openNextTable() throws SQLException {
    if (table != null) {
      table.close();
      table = null;
    }
    TableName next = tables.poll();
    if (next == null || connection == null) {
      return false;
    }
    table = SnapshotTable.open(dialect, connection, next, columns);
    return true;
  }

  @Override
  public void close() {
    if (connection == null) {
      return;
    }
    try {
      // Ends the transaction too.
      if (table == null) {
        connection.close();
      } else {
        dialect.abandon(connection);
      }
    } catch (SQLException e) {
      // The snapshot is gone either way.
    }
  }
}
