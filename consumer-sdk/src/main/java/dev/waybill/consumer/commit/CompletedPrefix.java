package dev.waybill.consumer.commit;

import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * How far a partition is done: the offset below which every record has an outcome. Records may
 * finish in any order. Not safe for use by several threads at once.
 */
public final class CompletedPrefix {

  private final TreeSet<Long> unfinished = new TreeSet<>();
  private boolean started;
  private long end;

  /** A record was taken. Offsets ascend, with holes. */
  public void polled(long offset) {
    if (isPast(offset)) {
      throw new IllegalArgumentException(
          "Offset " + offset + " was polled after " + (end - 1) + ": offsets ascend");
    }
    unfinished.add(offset);
    reached(offset + 1);
  }

  /** Whether this offset is below what was taken or passed over. */
  public boolean isPast(long offset) {
    return started && offset < end;
  }

  /** Nothing below this offset will be taken any more. */
  public void reached(long position) {
    end = started ? Math.max(end, position) : position;
    started = true;
  }

  /** The record has an outcome. */
  public void completed(long offset) {
    if (!unfinished.remove(offset)) {
      throw new IllegalArgumentException(
          "Offset " + offset + " has an outcome but was not polled, or has two");
    }
  }

  /** The offset to commit: that of the first unfinished record; empty if nothing was taken. */
  public OptionalLong next() {
    if (!started) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(unfinished.isEmpty() ? end : unfinished.first());
  }
}
