package dev.waybill.quickstart.demo;

import java.util.concurrent.TimeUnit;

/**
 * Starts a part again whenever it has ended without having done its work, whoever ended it. Has a
 * thread of its own.
 */
final class Guardian implements AutoCloseable {

  private static final long LOOK_MILLIS = 100;

  /**
   * How long to wait before starting anew. A Ctrl-C ends every process of the terminal, this JVM a
   * moment after the others; and what a killed server leaves behind takes a moment to go.
   */
  private static final long PAUSE_MILLIS = 500;

  private final Part part;
  private final Screen screen;
  private final Thread thread;

  private Guardian(Part part, Screen screen) {
    this.part = part;
    this.screen = screen;
    this.thread = new Thread(this::guard, "guardian of " + part.name());
    thread.setDaemon(true);
  }

  /** Guards a part that is running. */
  static Guardian of(Part part, Screen screen) {
    Guardian guardian = new Guardian(part, screen);
    guardian.thread.start();
    return guardian;
  }

  private void guard() {
    try {
      while (!part.isDone()) {
        if (!part.isRunning()) {
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
          startAgain();
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void startAgain() {
    screen.say("%s has ended, starting it again".formatted(part.name()));
    try {
      part.start();
      screen.say("%s runs again, pid %d".formatted(part.name(), part.pid()));
    } catch (IllegalStateException e) {
      screen.say("%s did not start: %s".formatted(part.name(), firstLine(e)));
    }
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  /** Guards no longer; returns when nothing is being started any more. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
