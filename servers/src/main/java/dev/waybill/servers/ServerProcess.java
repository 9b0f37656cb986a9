package dev.waybill.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process on a {@linkplain Leash leash}, and the signals it can be sent. */
final class ServerProcess {

  private final Process process;
  private final Leash leash;

  private ServerProcess(Process process) {
    this.process = process;
    this.leash = Leash.on(process.pid());
    var unused = process.onExit().thenRun(leash::close);
  }

  static ServerProcess start(ProcessBuilder builder) {
    try {
      return new ServerProcess(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException("could not start " + builder.command(), e);
    }
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  InputStream output() {
    return process.getInputStream();
  }

  /** Sends a signal, named as {@code kill} names it; a process that has ended gets none. */
  void signal(String name) {
    if (!isAlive()) {
      return;
    }
    try {
      new ProcessBuilder("sh", "-c", "kill -" + name + " \"$0\"", Long.toString(pid()))
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("could not send SIG" + name + " to process " + pid(), e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** SIGKILL for the process and all below it; returns once they are gone. */
  void kill() {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    awaitExit(Duration.ofSeconds(30));
    children.forEach(child -> child.onExit().join());
  }

  /**
   * Waits for the end of the process.
   *
   * @return its exit code; 128 plus the signal's number if a signal ended it
   * @throws IllegalStateException if it still runs after {@code timeout}
   */
  int awaitExit(Duration timeout) {
    try {
      if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException(
            "process " + pid() + " still runs after " + timeout + "; it is left alone");
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  static IllegalStateException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted while waiting for a process", cause);
  }
}
