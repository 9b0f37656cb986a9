package dev.waybill.engine.capture;

import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * A batch of Debezium's records. Confined to the thread of {@link BatchHandler#handle}.
 *
 * @param last of the records
 * @param open whether the capture has not been closed
 */
record MySqlBatch(
    List<Change> changes,
    MySqlPosition position,
    RecordChangeEvent<SourceRecord> last,
    RecordCommitter<RecordChangeEvent<SourceRecord>> committer,
    BooleanSupplier open)
    implements CapturedBatch {

  /** MySQL keeps its log by its own rules: nobody is told but Debezium, whose queue it empties. */
  @Override
  public void acknowledge() throws InterruptedException {
    if (!open.getAsBoolean()) {
      throw new IllegalStateException(
          "the capture is closed: what comes after "
              + position.gtids()
              + " is not acknowledged, but read again");
    }
    committer.markProcessed(last);
    committer.markBatchFinished();
  }
}
