package dev.waybill.quickstart.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.quickstart.service.DatabaseKind;
import dev.waybill.servers.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The whole demo, with the engine of the distribution that the build has just made. */
class DemoTest {

  private static final String NO_DISTRIBUTION =
      "needs the distribution, which waybill-cli makes in the package phase";
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Pattern RUNS = Pattern.compile("\\d\\d:\\d\\d  (.*?) +runs.*, pid (\\d+)");
  private static final List<String> BESIDE_THE_DATABASE =
      List.of("Kafka broker", "engine", "inventory service", "points service", "orders service");

  @ParameterizedTest
  @EnumSource
  void passesThoughEveryProcessIsKilledByHand(DatabaseKind kind, @TempDir Path logs)
      throws IOException {
    List<String> parts = new ArrayList<>(List.of(kind.product()));
    parts.addAll(BESIDE_THE_DATABASE);
    try (ChildJvm demo =
        demo(logs, "--database", kind.type(), "--orders", "2000", "--rate", "50")) {
      for (String part : parts) {
        String line = demo.awaitLine(l -> isOf(l, part), PATIENCE);
        kill(pid(line));
        demo.awaitLine(demo.lines().indexOf(line) + 1, l -> isOf(l, part), PATIENCE);
      }

      assertThat(demo.awaitExit(PATIENCE)).as(demo.tail()).isZero();
      assertThat(demo.lines())
          .contains("PASS")
          .anyMatch(line -> line.matches("after 2,000 orders .*"))
          .anyMatch(line -> line.endsWith("all 12 products match"))
          .anyMatch(line -> line.endsWith("all 100 customers match"));
      assertThat(alive(demo)).isEmpty();
    }
  }

  @Test
  void leavesNothingBehindWhenItIsInterrupted(@TempDir Path logs) throws IOException {
    try (ChildJvm demo = demo(logs, "--keep")) {
      demo.awaitLine(line -> isOf(line, "orders service"), PATIENCE);
      demo.terminate();

      assertThat(demo.awaitExit(Duration.ofSeconds(30))).isEqualTo(128 + 15);
      assertThat(alive(demo)).isEmpty();
    }
  }

  private static ChildJvm demo(Path logs, String... arguments) throws IOException {
    return ChildJvm.builder(Demo.class)
        .jvmOptions(
            "-Xmx128m", "-Dwaybill.distribution=" + distribution(), "-Dwaybill.logs=" + logs)
        .arguments(arguments)
        .start();
  }

  private static Path distribution() throws IOException {
    Path target = Path.of("../waybill-cli/target").toAbsolutePath().normalize();
    assumeTrue(Files.isDirectory(target), NO_DISTRIBUTION);
    try (Stream<Path> folders = Files.list(target)) {
      Optional<Path> found = folders.filter(f -> Files.isDirectory(f.resolve("lib"))).findFirst();
      assumeTrue(found.isPresent(), NO_DISTRIBUTION);
      return found.orElseThrow();
    }
  }

  private static boolean isOf(String line, String part) {
    Matcher matcher = RUNS.matcher(line);
    return matcher.matches() && matcher.group(1).equals(part);
  }

  private static long pid(String line) {
    Matcher matcher = RUNS.matcher(line);
    assertThat(matcher.matches()).isTrue();
    return Long.parseLong(matcher.group(2));
  }

  private static void kill(long pid) {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
  }

  private static List<Long> alive(ChildJvm demo) {
    return demo.lines().stream()
        .filter(line -> RUNS.matcher(line).matches())
        .map(DemoTest::pid)
        .filter(pid -> ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false))
        .toList();
  }
}
