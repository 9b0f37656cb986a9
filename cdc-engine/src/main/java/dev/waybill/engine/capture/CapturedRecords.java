package dev.waybill.engine.capture;

import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * A batch of Debezium's records. Confined to the thread of {@link BatchHandler#handle}.
 *
 * @param last of the records, which names the log's partition in Debezium's terms
 * @param open whether the capture has not been closed
 */
record CapturedRecords(
    List<Change> changes,
    Position position,
    RecordChangeEvent<SourceRecord> last,
    RecordCommitter<RecordChangeEvent<SourceRecord>> committer,
    Mark mark,
    BooleanSupplier open)
    implements CapturedBatch {

  /** What Debezium is told of the last record. */
  @FunctionalInterface
  interface Mark {
    void set(
        RecordCommitter<RecordChangeEvent<SourceRecord>> committer,
        RecordChangeEvent<SourceRecord> last)
        throws InterruptedException;
  }

  @Override
  public void acknowledge() throws InterruptedException {
    if (!open.getAsBoolean()) {
      throw new IllegalStateException(
          "the capture is closed: its last batch is not acknowledged, but read again");
    }
    mark.set(committer, last);
    committer.markBatchFinished();
  }
}
