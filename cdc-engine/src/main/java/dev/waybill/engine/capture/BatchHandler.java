package dev.waybill.engine.capture;

/** Receives what is captured, on the one thread that reads the log. */
@FunctionalInterface
public interface BatchHandler {

  /**
   * Takes the next batch. Whatever this throws ends the capture; nothing of the batch counts as
   * acknowledged unless {@link CapturedBatch#acknowledge()} has returned.
   */
  void handle(CapturedBatch batch) throws InterruptedException;
}
