package dev.waybill.it.world;

import dev.waybill.servers.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What is delivered: {@code bin/waybill} and the jars beside it, run in processes of their own. */
public final class Distribution {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Path home;

  private Distribution(Path home) {
    this.home = home;
  }

  /** As the build has just assembled it. */
  public static Distribution assembled() {
    Path home = Path.of(System.getProperty("waybill.distribution")).normalize();
    if (!Files.isDirectory(home)) {
      throw new IllegalStateException(home + " is missing: mvn package -pl waybill-cli -am");
    }
    return new Distribution(home);
  }

  /** A copy in {@code folder} that lacks the jars whose names begin with {@code jar}. */
  public Distribution without(String jar, Path folder) {
    try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
      Path lib = Files.createDirectory(folder.resolve("lib"));
      for (Path each :
          jars.filter(name -> !name.getFileName().toString().startsWith(jar)).toList()) {
        Files.createSymbolicLink(lib.resolve(each.getFileName()), each);
      }
      Path script = Files.createDirectory(folder.resolve("bin")).resolve("waybill");
      Files.copy(home.resolve("bin/waybill"), script);
      return new Distribution(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a command to its end. */
  public Ended run(String... arguments) {
    return run(Map.of(), arguments);
  }

  /** Runs a command to its end, with variables added to the environment. */
  public Ended run(Map<String, String> environment, String... arguments) {
    try (ChildJvm waybill = start(environment, arguments)) {
      int code = waybill.awaitExit(PATIENCE);
      return new Ended(code, waybill.lines());
    }
  }

  /** Starts a command. */
  public ChildJvm start(String... arguments) {
    return start(Map.of(), arguments);
  }

  /** Starts a command, with variables added to the environment. */
  public ChildJvm start(Map<String, String> environment, String... arguments) {
    ChildJvm.Builder builder =
        ChildJvm.script(home.resolve("bin/waybill"))
            .environment("JAVA_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1")
            .arguments(arguments);
    environment.forEach(builder::environment);
    return builder.start();
  }

  /**
   * A command that has ended.
   *
   * @param lines of both its outputs
   */
  public record Ended(int exitCode, List<String> lines) {

    public Ended {
      lines = List.copyOf(lines);
    }

    public String text() {
      return String.join("\n", lines);
    }

    /** The texts of a report's findings of a kind, such as {@code problem}. */
    public List<String> findings(String kind) {
      return lines.stream().filter(line -> line.startsWith(kind + " ")).toList();
    }
  }
}
