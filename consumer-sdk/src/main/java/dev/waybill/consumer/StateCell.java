package dev.waybill.consumer;

import java.util.concurrent.atomic.AtomicReference;

/** The state of a consumer, changed by compare-and-set. Safe for many threads. */
final class StateCell {

  private final AtomicReference<ConsumerState> state = new AtomicReference<>(ConsumerState.CREATED);
  private final Listeners listeners;

  StateCell(Listeners listeners) {
    this.listeners = listeners;
  }

  ConsumerState get() {
    return state.get();
  }

  /** Whether it was in the first state and is in the second now. */
  boolean move(ConsumerState from, ConsumerState to) {
    if (!from.next().contains(to)) {
      throw new IllegalArgumentException("No consumer goes from " + from + " to " + to);
    }
    boolean moved = state.compareAndSet(from, to);
    if (moved) {
      listeners.stateChanged(from, to);
    }
    return moved;
  }

  /** Whether it is in that state now, and was not before. */
  boolean moveTo(ConsumerState to) {
    for (ConsumerState from = state.get(); from.next().contains(to); from = state.get()) {
      if (move(from, to)) {
        return true;
      }
    }
    return false;
  }
}
