package dev.waybill.engine;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * What is true of an engine. Each state names the ones that may come before it; those of a working
 * engine may also follow each other in any order.
 */
public enum EngineState {

  /** Built, nothing opened. */
  NEW,

  /** Broker and source are being asked for the first time. */
  STARTING(NEW),

  /** The broker cannot be reached or cannot take an event now; the source keeps its log. */
  WAITING_FOR_BROKER(STARTING),

  /** The database cannot be reached or read now. */
  WAITING_FOR_SOURCE(STARTING),

  /** Something unforeseen failed; everything was closed and is opened anew after a pause. */
  RECOVERING(STARTING),

  /** The rows that were there before the first start are being published. */
  FIRST_START(STARTING),

  /** The log is read, and what is in it was published up to a moment ago. */
  STREAMING(STARTING),

  /** Closing has begun; what was not acknowledged will be read again at the next start. */
  STOPPING(STARTING, WAITING_FOR_BROKER, WAITING_FOR_SOURCE, RECOVERING, FIRST_START, STREAMING),

  /** Closed on demand, for good. */
  STOPPED(NEW, STOPPING),

  /** Ended by itself, for good, because going on would be wrong; the reason says why. */
  FAILED(STARTING, WAITING_FOR_BROKER, WAITING_FOR_SOURCE, RECOVERING, FIRST_START, STREAMING);

  /** A working engine goes back and forth between these. */
  private static final Set<EngineState> WORKING =
      EnumSet.of(WAITING_FOR_BROKER, WAITING_FOR_SOURCE, RECOVERING, FIRST_START, STREAMING);

  @SuppressWarnings("ImmutableEnumChecker") // Set.of is immutable
  private final Set<EngineState> predecessors;

  EngineState(EngineState... predecessors) {
    this.predecessors = Set.of(predecessors);
  }

  /** Whether this state may follow {@code previous}. */
  public boolean mayFollow(EngineState previous) {
    return predecessors.contains(previous)
        || (this != previous && WORKING.contains(this) && WORKING.contains(previous));
  }

  /** Nothing will change any more. */
  public boolean isFinal() {
    return this == STOPPED || this == FAILED;
  }

  /** Lower case with hyphens, as in health, metrics and logs. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
