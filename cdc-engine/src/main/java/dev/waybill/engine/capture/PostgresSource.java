package dev.waybill.engine.capture;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** PostgreSQL, read by logical decoding; the package's description says how and why. */
final class PostgresSource implements Source {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresSource.class);

  private final SourceConfig config;
  private final PostgresNames names;
  private final PostgresConnections connections;
  private final Clock clock;
  private final Watch watch;

  PostgresSource(SourceConfig config, Clock clock) {
    this(config, clock, Watch.of(config));
  }

  PostgresSource(SourceConfig config, Clock clock, Watch watch) {
    this.config = config;
    this.names = PostgresNames.of(config);
    this.connections = PostgresConnections.of(config);
    this.clock = clock;
    this.watch = watch;
  }

  @Override
  public Map<String, String> identity() {
    try (Connection connection = login()) {
      return new PostgresInspection(connection, config, null).identity();
    } catch (SQLException e) {
      throw PostgresErrors.unavailable("asking " + connections + " who it is", e);
    }
  }

  @Override
  public SourceReport inspect() {
    return inspect(connections);
  }

  @Override
  public SourceReport inspectWhileCapturing() {
    return inspect(null);
  }

  /** In one snapshot: while a table is renamed, half of either name is no finding. */
  private SourceReport inspect(@Nullable PostgresConnections replication) {
    try (Connection connection = login()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      return new PostgresInspection(connection, config, replication).report();
    } catch (SQLException e) {
      throw PostgresErrors.unavailable("inspecting " + connections, e);
    }
  }

  @Override
  public FirstStart firstStart(FirstStart.Rows rows) {
    return new PostgresFirstStart.Opening(config, connections, clock).open(rows);
  }

  @Override
  public Capture capture(Position position, BatchHandler handler) {
    PostgresPosition start = (PostgresPosition) position;
    try (Connection connection = login()) {
      moveTo(start, connection);
    } catch (SQLException e) {
      throw PostgresErrors.unavailable("moving slot " + names.slot() + " of " + connections, e);
    }
    return PostgresCapture.start(config, connections, start, handler, watch);
  }

  private void moveTo(PostgresPosition start, Connection connection) throws SQLException {
    PostgresSlot slot = SlotCheck.behind(start, PostgresSlot.find(connection, names.slot()), names);
    free(slot, connection);
    slot.advance(connection, start.lsn());
  }

  @Override
  public boolean takeOver() {
    try (Connection connection = login()) {
      PostgresSlot slot = PostgresSlot.find(connection, names.slot());
      return slot != null && slot.strangeness() == null && free(slot, connection);
    } catch (SQLException e) {
      throw PostgresErrors.unavailable("taking slot " + names.slot() + " over", e);
    }
  }

  /** Returns whether somebody was reading from it. */
  private static boolean free(PostgresSlot slot, Connection connection) throws SQLException {
    if (slot.activePid() == null) {
      return false;
    }
    LOG.info(
        "Slot {} is still read by server process {}: ending that process",
        slot.name(),
        slot.activePid());
    if (!slot.free(connection)) {
      throw new SourceUnavailableException(
          "slot " + slot.name() + " is still read by server process " + slot.activePid(), null);
    }
    return true;
  }

  @Override
  public void requireLog(Position position) {
    PostgresPosition start = (PostgresPosition) position;
    try (Connection connection = login()) {
      SlotCheck.behind(start, PostgresSlot.find(connection, names.slot()), names);
    } catch (SQLException e) {
      throw PostgresErrors.unavailable("reading slot " + names.slot() + " of " + connections, e);
    }
  }

  @Override
  public Position position(Map<String, String> stored) {
    return PostgresPosition.parse(stored);
  }

  @Override
  public @Nullable Long retainedLogBytes() {
    try (Connection connection = login()) {
      PostgresSlot slot = PostgresSlot.find(connection, names.slot());
      return slot == null ? null : slot.retainedBytes();
    } catch (SQLException e) {
      throw PostgresErrors.unavailable("measuring slot " + names.slot() + " of " + connections, e);
    }
  }

  private Connection login() {
    try {
      return connections.open();
    } catch (SQLException e) {
      throw PostgresErrors.atLogin(connections, e);
    }
  }
}
