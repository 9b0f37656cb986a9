package dev.waybill.quickstart.demo;

import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What the demo says: lines that stay, and below them, on a terminal, a block that is painted anew.
 * Elsewhere the block is written as a line from time to time. Safe for many threads.
 */
final class Screen {

  private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);
  private static final String UP = "\033[%dA";
  private static final String CLEAR_BELOW = "\033[J";

  private final PrintStream out;
  private final boolean terminal;
  private final Clock clock;
  private final Instant start;
  private List<String> block = List.of();
  private Instant lastLine;

  Screen(PrintStream out, boolean terminal, Clock clock) {
    this.out = out;
    this.terminal = terminal;
    this.clock = clock;
    this.start = clock.instant();
    this.lastLine = start;
  }

  /** A line that stays, with the time since the start. */
  synchronized void say(String line) {
    long seconds = Duration.between(start, clock.instant()).toSeconds();
    print("%02d:%02d  %s".formatted(seconds / 60, seconds % 60, line));
  }

  /** Lines that stay, as they are. */
  synchronized void print(String lines) {
    erase();
    out.println(lines);
    paint();
  }

  /** What is going on, in place of what was going on. */
  synchronized void show(List<String> lines) {
    if (terminal) {
      erase();
      block = List.copyOf(lines);
      paint();
    } else if (Duration.between(lastLine, clock.instant()).compareTo(BETWEEN_LINES) >= 0) {
      lastLine = clock.instant();
      lines.forEach(this::say);
    }
  }

  /** Leaves the block where it is. */
  synchronized void settle() {
    block = List.of();
  }

  private void erase() {
    if (!block.isEmpty()) {
      out.printf(UP + CLEAR_BELOW, block.size());
    }
  }

  private void paint() {
    block.forEach(out::println);
    out.flush();
  }
}
