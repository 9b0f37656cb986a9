package dev.waybill.engine.acknowledge;

import dev.waybill.engine.capture.CapturedBatch;
import dev.waybill.engine.capture.Position;
import java.util.Objects;

/**
 * Lets the source forget what is in Kafka: first the position is stored, then the batch is
 * acknowledged, so that the source never forgets more than progress covers. A position that is
 * stored already is not stored again. Confined to the thread of the batches.
 */
public final class Acknowledger {

  private final ProgressStore store;
  private final Runnable beforeAcknowledge;
  private Position stored;

  /**
   * @param stored the position that progress has now
   * @param beforeAcknowledge runs between the two steps of every batch
   */
  public Acknowledger(ProgressStore store, Position stored, Runnable beforeAcknowledge) {
    this.store = Objects.requireNonNull(store, "store");
    this.stored = Objects.requireNonNull(stored, "stored");
    this.beforeAcknowledge = Objects.requireNonNull(beforeAcknowledge, "beforeAcknowledge");
  }

  /**
   * Call it only after every change of the batch was published.
   *
   * <p>If storing fails nothing is acknowledged, and the source sends the batch again.
   */
  public void acknowledge(CapturedBatch batch) throws InterruptedException {
    Position position = batch.position();
    if (!position.equals(stored)) {
      store.store(position);
      stored = position;
    }
    beforeAcknowledge.run();
    batch.acknowledge();
  }
}
