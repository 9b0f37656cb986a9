package dev.waybill.engine.capture;

import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * What differs between databases when Debezium reads their logs; one for each {@link
 * DebeziumCapture}. {@link #decode} is confined to Debezium's polling thread, the rest is safe for
 * use by any.
 */
interface LogReader {

  /** What Debezium is told. */
  Properties properties();

  /**
   * The next records as a batch, in the order in which they came.
   *
   * @param records at least one
   * @param open whether the capture has not been closed
   */
  CapturedBatch decode(
      List<RecordChangeEvent<SourceRecord>> records,
      RecordCommitter<RecordChangeEvent<SourceRecord>> committer,
      BooleanSupplier open);

  /**
   * Looks whether the log is still the one behind our starting position. Called once, with the
   * first batch in hand, before anything of it is passed on.
   */
  void checkStart();

  /** Whether our end of the connection is known to be gone, although Debezium says nothing. */
  default boolean isCutOff() {
    return false;
  }

  /** Whether the server reads the log for a client under our name. */
  boolean isServed() throws SQLException;

  /** Ends the server's reading for whoever reads under our name. */
  void endServing() throws SQLException;

  /** What Debezium's ending with {@code error} means to us. */
  RuntimeException meaning(@Nullable Throwable error);

  /** Frees what was prepared for Debezium. Called once, when that has ended. */
  default void close() {}

  /** For messages: which log it is, and where. */
  @Override
  String toString();
}
