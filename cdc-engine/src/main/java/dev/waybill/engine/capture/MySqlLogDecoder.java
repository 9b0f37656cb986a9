package dev.waybill.engine.capture;

import dev.waybill.engine.capture.BinlogGuard.Problem;
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
 * <p>Rows, heartbeats and statements that change tables arrive in one stream; rows become changes,
 * the others only move the position.
 */
final class MySqlLogDecoder {

  /** Offsets of every record, as written by Debezium's {@code BinlogOffsetContext}. */
  static final String COMPLETE_GTIDS = "gtids";

  static final String FILE = "file";
  static final String POS = "pos";

  private static final String SOURCE = "source";

  private final List<TableName> tables;
  private final Columns columns;
  private final MySqlTracker tracker;
  private final Overlap overlap;
  private final IdentityHashMap<Schema, Optional<RowDecoder>> decoders = new IdentityHashMap<>();
  private final TableChanges tableChanges;
  private boolean overlaps;

  /** Debezium's text of the complete GTIDs: mostly one object for all rows of a transaction. */
  private @Nullable String lastComplete;

  MySqlLogDecoder(
      List<TableName> tables,
      Columns columns,
      MySqlTracker tracker,
      Overlap overlap,
      TableChanges tableChanges) {
    this.tables = tables;
    this.tableChanges = tableChanges;
    this.columns = columns;
    this.tracker = tracker;
    this.overlap = overlap;
    this.overlaps = overlap != Overlap.NONE;
  }

  /**
   * Adds the record's change to {@code changes}, if it has one that is new.
   *
   * @param problem what was found in the log, maybe ahead of this record
   * @throws RuntimeException what the problem says, where it stands before this record
   */
  void decode(SourceRecord record, @Nullable Problem problem, List<Change> changes) {
    Map<String, ?> offset = record.sourceOffset();
    if (problem != null) {
      refuse(problem, record);
    }
    if (offset.get(COMPLETE_GTIDS) instanceof String completeGtids
        && !completeGtids.equals(lastComplete)) {
      complete(completeGtids, place(offset));
    }
    if (record.value() instanceof Struct value) {
      RowDecoder decoder = decoder(value);
      if (decoder != null) {
        decodeRow(decoder, value, changes);
      } else if (TableChanges.isOne(value)) {
        tableChanges.apply(value, gtid(value.getStruct(SOURCE)), tracker);
      }
    }
  }

  private void complete(String gtids, BinlogPlace place) {
    tracker.complete(GtidSet.parse(gtids), place);
    lastComplete = gtids;
    overlaps = overlaps && place.compareTo(overlap.end()) < 0;
  }

  private static void refuse(Problem problem, SourceRecord record) {
    boolean isWithin =
        record.value() instanceof Struct value
            && value.schema().field(SOURCE) != null
            && problem.gtid().equals(value.getStruct(SOURCE).getString("gtid"));
    boolean isBehind =
        record.sourceOffset().get(COMPLETE_GTIDS) instanceof String complete
            && (problem.gtid().isEmpty() || GtidSet.parse(complete).contains(problem.gtid()));
    if (isWithin || isBehind) {
      throw problem.failure();
    }
  }

  private void decodeRow(RowDecoder decoder, Struct value, List<Change> changes) {
    Struct source = value.getStruct(SOURCE);
    if (!decoder.isInsert(value) || !tracker.row(gtid(source))) {
      return;
    }
    Change change = decoder.decode(value, Times.ofEpochMicros(source.getInt64("ts_us")));
    if (!overlaps || !overlap.covers(change)) {
      changes.add(change);
    }
  }

  /** Of the transaction that a record with this source is part of. */
  private static String gtid(Struct source) {
    String gtid = source.getString("gtid");
    if (gtid == null) {
      throw new SourceMisconfiguredException(
          List.of(
              "the log holds transactions without a GTID, from "
                  + source.getString(FILE)
                  + ":"
                  + source.getInt64(POS)
                  + " on: set gtid_mode = ON"));
    }
    return gtid;
  }

  private static BinlogPlace place(Map<String, ?> offset) {
    if (offset.get(FILE) instanceof String file && offset.get(POS) instanceof Number pos) {
      return new BinlogPlace(file, pos.longValue());
    }
    throw new IllegalStateException("a record's offset names no place in the log: " + offset);
  }

  private @Nullable RowDecoder decoder(Struct value) {
    return decoders
        .computeIfAbsent(value.schema(), schema -> RowDecoder.of(value, tables, columns))
        .orElse(null);
  }
}
