package dev.waybill.engine.capture;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** MySQL, read by its binary log; the package's description says how and why. */
final class MySqlSource implements Source {

  private static final Logger LOG = LoggerFactory.getLogger(MySqlSource.class);

  private final SourceConfig config;
  private final MySqlConnections connections;
  private final Clock clock;
  private final Watch watch;

  /** What the log shows again of a first start that this source has made; null if nothing. */
  private @Nullable SnapshotKeys overlap;

  /** The transactions that a server was seen to have; they never become fewer. */
  private @Nullable MySqlLog seen;

  /** How far the log was read, as far as this source knows; set by the thread that reads it. */
  private volatile @Nullable MySqlPosition reached;

  MySqlSource(SourceConfig config, Clock clock) {
    this(config, clock, Watch.of(config));
  }

  MySqlSource(SourceConfig config, Clock clock, Watch watch) {
    this.config = config;
    this.connections = MySqlConnections.of(config);
    this.clock = clock;
    this.watch = watch;
  }

  @Override
  public Map<String, String> identity() {
    return MySqlInspection.identity();
  }

  @Override
  public SourceReport inspect() {
    try (Connection connection = login()) {
      return new MySqlInspection(connection, config).report();
    } catch (SQLException e) {
      throw MySqlErrors.unavailable("inspecting " + connections, e);
    }
  }

  @Override
  public SourceReport inspectWhileCapturing() {
    try (Connection connection = login()) {
      SourceReport report = new MySqlInspection(connection, config).report();
      requireGrown(MySqlLog.read(connection));
      requireRead(connection);
      return report;
    } catch (SQLException e) {
      throw MySqlErrors.unavailable("inspecting " + connections, e);
    }
  }

  /** A log that is reset while it is read may have grown again by the time it is opened. */
  private void requireGrown(MySqlLog now) {
    MySqlLog before = seen;
    seen = now;
    if (before != null
        && before.serverUuid().equals(now.serverUuid())
        && !now.executed().containsAll(before.executed())) {
      throw GapException.behind(
          before.executed().toString(),
          config.engine(),
          "The log of server " + now.serverUuid() + " was reset while it was read",
          "");
    }
  }

  /**
   * A log that was reset may have all GTIDs again before it is looked at, and the server then keeps
   * those transactions back from us as ones that we have.
   */
  private void requireRead(Connection connection) throws SQLException {
    MySqlPosition read = reached;
    if (read != null) {
      BinlogCheck.whileReading(connection, read, config.engine());
    }
  }

  @Override
  public FirstStart firstStart(FirstStart.Rows rows) {
    MySqlFirstStart start = new MySqlFirstStart.Opening(config, connections, clock).open(rows);
    overlap = start.overlap();
    reached = start.position();
    return start;
  }

  @Override
  public Capture capture(Position position, BatchHandler handler) {
    MySqlPosition start = required((MySqlPosition) position);
    reached = start;
    LOG.info("Reading the log of server {} behind {}", start.serverUuid(), start.gtids());
    SnapshotKeys keys = overlap;
    if (keys == null || !keys.matters(start)) {
      overlap = null;
      return start(start, Overlap.NONE, handler);
    }
    return start(start, keys, batch -> handle(batch, handler, keys));
  }

  private static void handle(CapturedBatch batch, BatchHandler handler, SnapshotKeys keys)
      throws InterruptedException {
    handler.handle(batch);
    if (!keys.matters((MySqlPosition) batch.position())) {
      keys.clear();
    }
  }

  private Capture start(MySqlPosition start, Overlap overlap, BatchHandler handler) {
    return MySqlCapture.start(
        config,
        connections,
        start,
        overlap,
        batch -> {
          handler.handle(batch);
          reached = (MySqlPosition) batch.position();
        },
        watch);
  }

  /** Nothing to do: the server ends the former reader when the next one comes under its id. */
  @Override
  public boolean takeOver() {
    try (Connection connection = login()) {
      return MySqlLog.isReadBy(connection);
    } catch (SQLException e) {
      throw MySqlErrors.unavailable("asking who reads the log of " + connections, e);
    }
  }

  @Override
  public void requireLog(Position position) {
    required((MySqlPosition) position);
  }

  private MySqlPosition required(MySqlPosition position) {
    try (Connection connection = login()) {
      MySqlPosition start = BinlogCheck.toRead(connection, position, config.engine());
      requireGrown(MySqlLog.read(connection));
      if (!start.serverUuid().equals(position.serverUuid())) {
        LOG.info(
            "Server {} has taken the place of {}, with all that was read there",
            start.serverUuid(),
            position.serverUuid());
      }
      return start;
    } catch (SQLException e) {
      throw MySqlErrors.unavailable("checking the log of " + connections, e);
    }
  }

  @Override
  public Position position(Map<String, String> stored) {
    return MySqlPosition.parse(stored);
  }

  @Override
  public @Nullable Long retainedLogBytes() {
    MySqlPosition position = reached;
    if (position == null) {
      return null;
    }
    try (Connection connection = login()) {
      return MySqlLog.serverUuid(connection).equals(position.serverUuid())
          ? bytesBehind(position.place(), MySqlLog.files(connection))
          : null;
    } catch (SQLException e) {
      throw MySqlErrors.unavailable("measuring the log of " + connections, e);
    }
  }

  private static long bytesBehind(BinlogPlace place, List<BinlogPlace> files) {
    return files.stream()
        .filter(file -> file.number() >= place.number())
        .mapToLong(file -> file.number() == place.number() ? file.pos() - place.pos() : file.pos())
        .sum();
  }

  private Connection login() {
    try {
      return connections.open();
    } catch (SQLException e) {
      throw MySqlErrors.atLogin(connections, e);
    }
  }
}
