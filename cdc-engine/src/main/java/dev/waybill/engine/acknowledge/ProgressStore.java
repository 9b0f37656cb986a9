package dev.waybill.engine.acknowledge;

import dev.waybill.engine.capture.Position;

/** Where positions are kept for the next start. */
@FunctionalInterface
public interface ProgressStore {

  /** Returns once the position is safe; whatever it throws, it may or may not be. */
  void store(Position position) throws InterruptedException;
}
