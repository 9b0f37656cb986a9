package dev.waybill.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The process of a database server, run by {@link ProcessUser} in a folder of its own, where its
 * log is, too. Confined to one thread at a time.
 */
final class DatabaseProcess {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_AGAIN_MILLIS = 50;

  private final String product;
  private final Path folder;
  private final Path log;
  private final Map<String, String> environment;
  private final Runnable closer = this::close;
  private @Nullable ServerProcess process;

  /** Where the log of the running process begins. */
  private long logStart;

  /**
   * @param product for people, such as "PostgreSQL"
   * @param environment added to this JVM's
   */
  DatabaseProcess(String product, Path folder, Map<String, String> environment) {
    this.product = product;
    this.folder = folder;
    this.log = folder.resolve("server.log");
    this.environment = environment;
    ProcessUser.own(folder);
    OpenServers.add(closer);
  }

  /** Finds out whether clients are served. */
  @FunctionalInterface
  interface Readiness {
    boolean of(ServerProcess started) throws IOException;
  }

  Path folder() {
    return folder;
  }

  Path log() {
    return log;
  }

  /** Runs a program to its end. */
  void run(List<String> command) {
    int code = launch(command).awaitExit(PATIENCE);
    if (code != 0) {
      throw new IllegalStateException(
          "%s failed with %d:%n%s"
              .formatted(Path.of(command.get(0)).getFileName(), code, readLog()));
    }
  }

  /** Starts the server; returns once clients are served. */
  void start(List<String> command, Readiness ready) {
    logStart = log.toFile().length();
    ServerProcess started = launch(command);
    process = started;
    try {
      await(ready, started);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw ServerProcess.interrupted(e);
    }
  }

  /** Neither server tells who started it: the tools of both look again and again, too. */
  private void await(Readiness ready, ServerProcess started)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!ready.of(started)) {
      if (!started.isAlive() || System.nanoTime() > deadline) {
        throw new IllegalStateException(product + " did not start; its log:\n" + readLog());
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
    }
  }

  private ServerProcess launch(List<String> command) {
    ProcessBuilder builder =
        new ProcessBuilder(ProcessUser.command(command))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    return ServerProcess.start(builder);
  }

  /** Whether the log has the text, since the server was started last. */
  boolean hasLogged(String text) throws IOException {
    try (InputStream in = Files.newInputStream(log)) {
      in.skipNBytes(logStart);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).contains(text);
    }
  }

  boolean isRunning() {
    return process != null && process.isAlive();
  }

  long pid() {
    if (process == null) {
      throw new IllegalStateException(product + " does not run");
    }
    return process.pid();
  }

  /** Sends a signal and waits for the end. */
  void end(String signal) {
    if (process != null) {
      process.signal(signal);
      process.awaitExit(PATIENCE);
      process = null;
    }
  }

  void kill() {
    if (process != null) {
      process.kill();
      process = null;
    }
  }

  /** Kills the process and deletes the folder. */
  void close() {
    kill();
    Folders.delete(folder);
    OpenServers.remove(closer);
  }

  private String readLog() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "(" + log + " cannot be read: " + e + ")";
    }
  }
}
