package dev.waybill.engine.capture;

import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** Reads the binary log. */
final class MySqlCapture implements LogReader {

  private final SourceConfig config;
  private final MySqlConnections connections;
  private final MySqlPosition start;
  private final MySqlTracker tracker;
  private final MySqlLogDecoder decoder;

  private MySqlCapture(
      SourceConfig config, MySqlConnections connections, MySqlPosition start, Overlap overlap) {
    this.config = config;
    this.connections = connections;
    this.start = start;
    this.tracker = new MySqlTracker(start, config.tables());
    this.decoder = new MySqlLogDecoder(config.tables(), config.columns(), tracker, overlap);
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
        config.engine(), new MySqlCapture(config, connections, start, overlap), handler, watch);
  }

  @Override
  public Properties properties() {
    return MySqlProperties.of(config, start);
  }

  @Override
  public CapturedBatch decode(
      List<RecordChangeEvent<SourceRecord>> records,
      RecordCommitter<RecordChangeEvent<SourceRecord>> committer,
      BooleanSupplier open) {
    List<Change> changes = new ArrayList<>(records.size());
    for (RecordChangeEvent<SourceRecord> record : records) {
      decoder.decode(record.record(), changes);
    }
    return new MySqlBatch(
        changes, tracker.position(), records.get(records.size() - 1), committer, open);
  }

  /** The server looks itself: it refuses to send what comes after GTIDs that it does not know. */
  @Override
  public void checkStart() {}

  @Override
  public boolean isServed() throws SQLException {
    try (Connection connection = connections.open()) {
      return MySqlLog.isReadBy(connection);
    }
  }

  /** It ends by itself with the connection, or when the next one asks under our server id. */
  @Override
  public void endServing() {}

  @Override
  public RuntimeException meaning(@Nullable Throwable error) {
    return new SourceUnavailableException("reading " + this + " ended: " + error, error);
  }

  @Override
  public String toString() {
    return "the binary log of " + connections;
  }
}
