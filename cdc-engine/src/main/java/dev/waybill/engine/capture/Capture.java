package dev.waybill.engine.capture;

import java.time.Duration;

/** The log being read. Never restarted: after a failure a new one is opened. */
public interface Capture extends AutoCloseable {

  /**
   * Waits until the log is being read.
   *
   * @return false if it was still being opened after {@code timeout}
   * @throws RuntimeException as {@link #awaitEnd}, if it ended instead
   */
  boolean awaitReading(Duration timeout) throws InterruptedException;

  /**
   * Waits until reading has ended by itself. Call it again and again: it also looks after the
   * connection, which may die without a word.
   *
   * @return false if it was still running after {@code timeout}
   * @throws SourceUnavailableException when the connection to the source failed
   * @throws RuntimeException what the {@link BatchHandler} threw, unchanged
   */
  boolean awaitEnd(Duration timeout) throws InterruptedException;

  /**
   * Stops reading and frees the log for the next reader. Idempotent; returns within seconds, even
   * if the handler is blocked, which is then interrupted. What was not acknowledged is read again
   * next time.
   */
  @Override
  void close();
}
