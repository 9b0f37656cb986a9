package dev.waybill.engine.capture;

import dev.waybill.engine.capture.SourceConfig.Columns;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Turns Debezium's records into changes and moves the position along. Confined to one thread.
 *
 * <p>Rows, heartbeats, messages and transaction boundaries arrive in one stream; all but the rows
 * only move the position.
 */
final class LogDecoder {

  /** Offsets of every record, as written by Debezium's {@code PostgresOffsetContext}. */
  static final String COMPLETE_LSN = "lsn_commit";

  private static final String XID = "txId";
  private static final String COMMITTED_AT_MICROS = "ts_usec";

  private final List<TableName> tables;
  private final Columns columns;
  private final PositionTracker tracker;
  private final IdentityHashMap<Schema, Optional<RowDecoder>> decoders = new IdentityHashMap<>();

  LogDecoder(List<TableName> tables, Columns columns, PositionTracker tracker) {
    this.tables = tables;
    this.columns = columns;
    this.tracker = tracker;
  }

  /** Adds the record's change to {@code changes}, if it has one that is new. */
  void decode(SourceRecord record, List<Change> changes) {
    Map<String, ?> offset = record.sourceOffset();
    if (offset.get(COMPLETE_LSN) instanceof Long completeLsn) {
      tracker.complete(completeLsn);
    }
    if (record.value() instanceof Struct value) {
      RowDecoder decoder = decoder(value);
      if (decoder != null && decoder.isInsert(value) && tracker.row(number(offset, XID))) {
        changes.add(
            decoder.decode(value, Times.ofEpochMicros(number(offset, COMMITTED_AT_MICROS))));
      }
    }
  }

  PostgresPosition position() {
    return tracker.position();
  }

  private @Nullable RowDecoder decoder(Struct value) {
    return decoders
        .computeIfAbsent(value.schema(), schema -> RowDecoder.of(value, tables, columns))
        .orElse(null);
  }

  private static long number(Map<String, ?> offset, String key) {
    if (offset.get(key) instanceof Number number) {
      return number.longValue();
    }
    throw new IllegalStateException("a row's offset has no " + key + ": " + offset);
  }
}
