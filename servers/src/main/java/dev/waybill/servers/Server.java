package dev.waybill.servers;

/**
 * A server that was started and can be taken away and brought back. Not safe for use by several
 * threads at once.
 */
public interface Server extends AutoCloseable {

  /**
   * Starts again after {@link #stop()} or {@link #kill()}, on the same port and data; returns once
   * clients are served. Does nothing while the server runs.
   */
  void start();

  /** Shuts down in the server's own orderly way and returns once it is gone. */
  void stop();

  /** SIGKILL for every process of the server; returns once they are gone. */
  void kill();

  boolean isRunning();

  /** Ends the server in any way and deletes its data. Idempotent. */
  @Override
  void close();
}
