package dev.waybill.servers;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A main class in a JVM of its own, or a program that becomes one, to be stopped, killed and frozen
 * like a real service. Standard output and standard error are read together, line by line, and kept
 * in memory: meant for processes that say little. Its temporary folder is its own and goes with it,
 * since a JVM that is killed cannot delete what it put there. Safe for use by many threads.
 */
public final class ChildJvm implements AutoCloseable {

  private static final int LINES_IN_MESSAGES = 40;
  private static final String JAVA_HOME = System.getProperty("java.home");

  private final String name;
  private final Path temporary = Folders.passable("waybill-jvm-");
  private final ServerProcess process;
  private final Thread reader;
  private final Runnable closer = this::close;
  private final List<String> lines = new ArrayList<>();
  private boolean outputEnded;

  private ChildJvm(Builder builder) {
    this.name = builder.main;
    this.process = ServerProcess.start(builder.process(temporary));
    this.reader = new Thread(() -> read(builder.output), "output-of-" + process.pid());
    reader.setDaemon(true);
    reader.start();
    OpenServers.add(closer);
  }

  /** For a main class that is on the class path of this JVM. */
  public static Builder builder(Class<?> main) {
    return new Builder(main.getName(), null);
  }

  /** For a main class that need not be on the class path of this JVM. */
  public static Builder builder(String main) {
    return new Builder(main, null);
  }

  /**
   * For a start script that replaces itself by a JVM of this installation; the class path of that
   * JVM is the script's, its options are the script's and those in {@code JAVA_OPTS}.
   */
  public static Builder script(Path script) {
    return new Builder(script.toString(), script).environment("JAVA_HOME", JAVA_HOME);
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** All lines written so far. */
  public synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  /**
   * Waits for a line, whether it was written before or after this call.
   *
   * @return the first line since the start of the process that matches
   * @throws IllegalStateException if {@code timeout} passes or the process ends without it; the
   *     message holds the last lines
   */
  public String awaitLine(Predicate<String> matching, Duration timeout) {
    return awaitLine(0, matching, timeout);
  }

  /** Like {@link #awaitLine(Predicate, Duration)}, but leaves out the first {@code from} lines. */
  public String awaitLine(int from, Predicate<String> matching, Duration timeout) {
    try {
      return firstLine(from, matching, timeout);
    } catch (InterruptedException e) {
      throw ServerProcess.interrupted(e);
    }
  }

  private synchronized String firstLine(int from, Predicate<String> matching, Duration timeout)
      throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    for (int next = from; ; next++) {
      while (next >= lines.size()) {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (outputEnded || left <= 0) {
          throw new IllegalStateException(
              name
                  + (outputEnded ? " ended" : " has run for another " + timeout)
                  + " without writing the line that was waited for; it wrote last:\n"
                  + tail());
        }
        wait(left);
      }
      if (matching.test(lines.get(next))) {
        return lines.get(next);
      }
    }
  }

  /** SIGTERM: asks the process to end. */
  public void terminate() {
    process.signal("TERM");
  }

  /** SIGKILL; returns once the process is gone. */
  public void kill() {
    process.kill();
  }

  /** SIGSTOP: freezes the process with everything it holds. */
  public void suspend() {
    process.signal("STOP");
  }

  /** SIGCONT: lets a frozen process go on. */
  public void resume() {
    process.signal("CONT");
  }

  /**
   * Waits for the end of the process and of its output.
   *
   * @return its exit code; 128 plus the signal's number if a signal ended it
   * @throws IllegalStateException if it still runs after {@code timeout}; the message holds the
   *     last lines
   */
  public int awaitExit(Duration timeout) {
    try {
      int code = process.awaitExit(timeout);
      reader.join(timeout.toMillis());
      return code;
    } catch (InterruptedException e) {
      throw ServerProcess.interrupted(e);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(name + ": " + e.getMessage() + "; last lines:\n" + tail(), e);
    }
  }

  /** Kills the process if it still runs, and deletes its temporary folder. Idempotent. */
  @Override
  public void close() {
    process.kill();
    Folders.delete(temporary);
    OpenServers.remove(closer);
  }

  /** The last lines written, for messages. */
  public synchronized String tail() {
    int from = Math.max(0, lines.size() - LINES_IN_MESSAGES);
    return String.join("\n", lines.subList(from, lines.size()));
  }

  private void read(@Nullable Path file) {
    try (BufferedReader output =
            new BufferedReader(new InputStreamReader(process.output(), StandardCharsets.UTF_8));
        Writer copy = copyTo(file)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        copy.write(line + System.lineSeparator());
        copy.flush();
        add(line);
      }
    } catch (IOException e) {
      add("[the output of this process could not be read on: " + e + "]");
    } finally {
      end();
    }
  }

  private static Writer copyTo(@Nullable Path file) throws IOException {
    return file == null
        ? Writer.nullWriter()
        : new BufferedWriter(
            Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
  }

  private synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }

  private synchronized void end() {
    outputEnded = true;
    notifyAll();
  }

  /** What to start and how. */
  public static final class Builder {

    private final String main;
    private final @Nullable Path script;
    private final List<String> arguments = new ArrayList<>();
    private final List<String> jvmOptions = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private String classPath = System.getProperty("java.class.path");
    private @Nullable Path output;

    private Builder(String main, @Nullable Path script) {
      this.main = main;
      this.script = script;
    }

    /** Added to the arguments of the main class. */
    public Builder arguments(String... more) {
      arguments.addAll(List.of(more));
      return this;
    }

    /** Added to the options of the JVM, such as {@code -Xmx64m}. */
    public Builder jvmOptions(String... more) {
      jvmOptions.addAll(List.of(more));
      return this;
    }

    /** Added to the environment, which is otherwise this JVM's. */
    public Builder environment(String variable, String value) {
      environment.put(variable, value);
      return this;
    }

    /** Instead of the class path of this JVM. */
    public Builder classPath(String classPath) {
      this.classPath = classPath;
      return this;
    }

    /** A file that all lines are appended to. */
    public Builder output(Path file) {
      this.output = file;
      return this;
    }

    public ChildJvm start() {
      return new ChildJvm(this);
    }

    private ProcessBuilder process(Path temporary) {
      List<String> own = List.of("-Djava.io.tmpdir=" + temporary, Cache.rootOption());
      List<String> command = new ArrayList<>();
      if (script == null) {
        command.add(Path.of(JAVA_HOME, "bin", "java").toString());
        command.addAll(own);
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath));
      }
      command.add(main);
      command.addAll(arguments);
      ProcessBuilder process = new ProcessBuilder(command).redirectErrorStream(true);
      process.redirectInput(new File("/dev/null"));
      process.environment().putAll(environment);
      if (script != null) {
        process.environment().merge("JAVA_OPTS", String.join(" ", own), (a, b) -> b + " " + a);
      }
      return process;
    }
  }
}
