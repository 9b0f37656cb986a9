package dev.waybill.engine.capture;

import io.debezium.engine.DebeziumEngine.Offsets;
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
    PostgresPosition position,
    RecordChangeEvent<SourceRecord> last,
    RecordCommitter<RecordChangeEvent<SourceRecord>> committer,
    BooleanSupplier open)
    implements CapturedBatch {

  /**
   * Tells Debezium nothing but our own position's LSN, whatever the records' offsets say: the slot
   * is never moved beyond what is stored. Debezium sends it to the server before its next batch.
   */
  @Override
  public void acknowledge() throws InterruptedException {
    if (!open.getAsBoolean()) {
      throw new IllegalStateException(
          "the capture is closed: what comes after "
              + position.lsnText()
              + " is not acknowledged, but read again");
    }
    Offsets offsets = committer.buildOffsets();
    offsets.set(LogDecoder.COMPLETE_LSN, position.lsn());
    committer.markProcessed(last, offsets);
    committer.markBatchFinished();
  }
}
