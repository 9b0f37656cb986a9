package dev.waybill.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;

/**
 * Ends a process when this JVM dies in whatever way, SIGKILL included: a shell waits at a pipe
 * whose other end only this JVM holds, and sends SIGKILL to the process once the pipe breaks.
 *
 * <p>Let go of it before the process is reaped: afterwards its id may belong to somebody else.
 */
final class Leash implements AutoCloseable {

  private final Process shell;

  private Leash(Process shell) {
    this.shell = shell;
  }

  static Leash on(long pid) {
    try {
      return new Leash(
          new ProcessBuilder("sh", "-c", "read line; kill -KILL \"$0\"", Long.toString(pid))
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException("could not start a shell to watch process " + pid, e);
    }
  }

  @Override
  public void close() {
    shell.destroyForcibly();
  }
}
