package dev.waybill.engine.capture;

import dev.waybill.engine.capture.BinlogGuard.Problem;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** Reads the binary log. */
final class MySqlCapture implements LogReader {

  /** How long Debezium may take to say why its connection ended. */
  private static final Duration REPORT_LIMIT = Duration.ofSeconds(1);

  private final SourceConfig config;
  private final MySqlConnections connections;
  private final MySqlPosition start;
  private final MySqlTracker tracker;
  private final MySqlLogDecoder decoder;
  private final String reading;
  private final BinlogGuard guard;

  /** Met behind what the last batch held; to be thrown instead of the next. */
  private @Nullable RuntimeException postponed;

  private MySqlCapture(
      SourceConfig config, MySqlConnections connections, MySqlPosition start, Overlap overlap) {
    this.config = config;
    this.connections = connections;
    this.start = start;
    this.tracker = new MySqlTracker(start, config.tables());
    this.reading = MySqlNames.of(config).topicPrefix(DebeziumProperties.nextReading());
    this.guard = new BinlogGuard(config.tables(), config.engine());
    this.decoder =
        new MySqlLogDecoder(
            config.tables(),
            config.columns(),
            tracker,
            overlap,
            new TableChanges(config.tables(), config.columns(), config.engine()));
  }

  /**
   * Begins to read.
   *
   * @param start of the server's present log
   */
  static Capture start(
      SourceConfig config,
      MySqlConnections connections,
      MySqlPosition start,
      Overlap overlap,
      BatchHandler handler,
      Watch watch) {
    return DebeziumCapture.start(
        config.engine(), reader(config, connections, start, overlap), handler, watch);
  }

  static LogReader reader(
      SourceConfig config, MySqlConnections connections, MySqlPosition start, Overlap overlap) {
    return new MySqlCapture(
        config, connections, withAllTables(start, config, connections), overlap);
  }

  /**
   * A table that was not captured before has the columns it has now: if unread log says otherwise,
   * its rows will not fit.
   */
  private static MySqlPosition withAllTables(
      MySqlPosition start, SourceConfig config, MySqlConnections connections) {
    SortedMap<TableName, MySqlColumns> columns = new TreeMap<>(start.columns());
    if (columns.keySet().containsAll(config.tables())) {
      return start;
    }
    try (Connection connection = connections.open()) {
      for (TableName table : config.tables()) {
        MySqlColumns now = MySqlColumns.read(connection, table);
        if (now != null) {
          columns.putIfAbsent(table, now);
        }
      }
      return start.withColumns(columns);
    } catch (SQLException e) {
      throw MySqlErrors.unavailable("reading the columns of the tables at " + connections, e);
    }
  }

  @Override
  public Properties properties() {
    Properties properties = MySqlProperties.of(config, start, reading);
    BinlogReadings.put(reading, guard, properties);
    return properties;
  }

  /** What stands before something that ends the reading is handed over first. */
  @Override
  public CapturedBatch decode(
      List<RecordChangeEvent<SourceRecord>> records,
      RecordCommitter<RecordChangeEvent<SourceRecord>> committer,
      BooleanSupplier open) {
    if (postponed != null) {
      throw postponed;
    }
    List<Change> changes = new ArrayList<>(records.size());
    int decoded = 0;
    try {
      for (RecordChangeEvent<SourceRecord> record : records) {
        decoder.decode(record.record(), guard.problem(), changes);
        decoded++;
      }
    } catch (RuntimeException e) {
      if (decoded == 0) {
        throw e;
      }
      postponed = e;
    }
    // MySQL keeps its log by its own rules: nobody is told but Debezium, whose queue it empties.
    return new CapturedRecords(
        changes,
        tracker.position(),
        records.get(decoded - 1),
        committer,
        RecordCommitter::markProcessed,
        open);
  }

  /** The server looks itself: it refuses to send what comes after GTIDs that it does not know. */
  @Override
  public void checkStart() {}

  @Override
  public boolean isCutOff() {
    return guard.problem() == null && guard.isDisconnectedFor(REPORT_LIMIT);
  }

  @Override
  public boolean isServed() throws SQLException {
    Long id = guard.connectionId();
    try (Connection connection = connections.open()) {
      return id != null && MySqlLog.isReadBy(connection, id);
    }
  }

  @Override
  public void endServing() throws SQLException {
    Long id = guard.connectionId();
    try (Connection connection = connections.open()) {
      if (id != null && MySqlLog.isReadBy(connection, id)) {
        MySqlLog.endReader(connection, id);
      }
    }
  }

  @Override
  public RuntimeException meaning(@Nullable Throwable error) {
    Problem problem = guard.problem();
    return problem == null
        ? new SourceUnavailableException("reading " + this + " ended: " + error, error)
        : problem.failure();
  }

  @Override
  public void close() {
    BinlogReadings.remove(reading);
  }

  @Override
  public String toString() {
    return "the binary log of " + connections;
  }
}
