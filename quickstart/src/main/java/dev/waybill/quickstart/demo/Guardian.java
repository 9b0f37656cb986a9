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
      while (!isDoneAfterALook()) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whatever fails, the next look tries again: a part that nobody guards stays dead. */
  private boolean isDoneAfterALook() throws InterruptedException {
    try {
      if (part.isDone()) {
        return true;
      }
      if (!part.isRunning()) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        startAgain();
      }
    } catch (RuntimeException e) {
      screen.say("%s does not run, trying again: %s".formatted(part.name(), firstLine(e)));
    }
    return false;
  }

  private void startAgain() {
    screen.say("%s has ended, starting it again".formatted(part.name()));
    part.start();
    screen.say("%s runs again, pid %d".formatted(part.name(), part.pid()));
  }

  private static String firstLine(Exception e) {
    return e.toString().lines().findFirst().orElse("");
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
