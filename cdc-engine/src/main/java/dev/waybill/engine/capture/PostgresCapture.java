package dev.waybill.engine.capture;

import io.debezium.engine.DebeziumEngine.Offsets;
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

/** Reads from a replication slot. */
final class PostgresCapture implements LogReader {

  private final SourceConfig config;
  private final PostgresNames names;
  private final PostgresConnections connections;
  private final PostgresPosition start;
  private final LogDecoder decoder;

  private PostgresCapture(
      SourceConfig config, PostgresConnections connections, PostgresPosition start) {
    this.config = config;
    this.names = PostgresNames.of(config);
    this.connections = connections;
    this.start = start;
    this.decoder =
        new LogDecoder(
            config.tables(), config.columns(), new PositionTracker(start, config.tables()));
  }

  static Capture start(
      SourceConfig config,
      PostgresConnections connections,
      PostgresPosition start,
      BatchHandler handler,
      Watch watch) {
    return DebeziumCapture.start(
        config.engine(), new PostgresCapture(config, connections, start), handler, watch);
  }

  @Override
  public Properties properties() {
    return PostgresProperties.of(config);
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
    PostgresPosition position = decoder.position();
    return new CapturedRecords(
        changes,
        position,
        records.get(records.size() - 1),
        committer,
        (debezium, last) -> mark(debezium, last, position),
        open);
  }

  /**
   * Tells Debezium nothing but our own position's LSN, whatever the records' offsets say: the slot
   * is never moved beyond what is stored. Debezium sends it to the server before its next batch.
   */
  private static void mark(
      RecordCommitter<RecordChangeEvent<SourceRecord>> debezium,
      RecordChangeEvent<SourceRecord> last,
      PostgresPosition position)
      throws InterruptedException {
    Offsets offsets = debezium.buildOffsets();
    offsets.set(LogDecoder.COMPLETE_LSN, position.lsn());
    debezium.markProcessed(last, offsets);
  }

  /**
   * Where the slot vanished after we had looked, Debezium has made a new one in silence. Nothing is
   * acknowledged before the first batch: a slot beyond our start is not the one we started from.
   */
  @Override
  public void checkStart() {
    try (Connection connection = connections.open()) {
      SlotCheck.behind(start, PostgresSlot.find(connection, names.slot()), names);
    } catch (SQLException e) {
      throw PostgresErrors.unavailable("checking slot " + names.slot() + " of " + connections, e);
    }
  }

  @Override
  public boolean isServed() throws SQLException {
    try (Connection connection = connections.open()) {
      PostgresSlot slot = PostgresSlot.find(connection, names.slot());
      return slot != null && slot.activePid() != null;
    }
  }

  @Override
  public void endServing() throws SQLException {
    try (Connection connection = connections.open()) {
      PostgresSlot slot = PostgresSlot.find(connection, names.slot());
      if (slot != null) {
        slot.free(connection);
      }
    }
  }

  @Override
  public RuntimeException meaning(@Nullable Throwable error) {
    SQLException sql = PostgresErrors.among(error);
    return sql == null
        ? new SourceUnavailableException("reading " + this + " ended: " + error, error)
        : PostgresErrors.unavailable("reading " + this, sql);
  }

  @Override
  public String toString() {
    return "slot " + names.slot() + " of " + connections;
  }
}
