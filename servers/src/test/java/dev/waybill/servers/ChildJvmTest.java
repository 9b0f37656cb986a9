package dev.waybill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildJvmTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Says what it was given, then does what its first argument says. */
  static final class Child {
    public static void main(String[] arguments) throws Exception {
      System.out.println("property " + System.getProperty("given"));
      System.out.println("variable " + System.getenv("GIVEN"));
      if (arguments[0].equals("exit")) {
        System.exit(7);
      }
      if (arguments[0].equals("parent")) {
        ChildJvm grandchild = ChildJvm.builder(Child.class).arguments("wait").start();
        System.out.println("grandchild " + grandchild.pid());
      }
      if (arguments[0].equals("litter")) {
        System.out.println("cache " + PostgresBinaries.folder(18));
        System.out.println("litter " + Files.createTempFile("litter-", ".so"));
      }
      new CountDownLatch(1).await();
    }
  }

  @Test
  void handsOverOptionsAndReturnsOutputAndExitCode(@TempDir Path folder) throws Exception {
    Path output = folder.resolve("output");
    try (ChildJvm child =
        ChildJvm.builder(Child.class)
            .jvmOptions("-Dgiven=option")
            .environment("GIVEN", "environment")
            .arguments("exit")
            .output(output)
            .start()) {

      assertThat(child.awaitExit(PATIENCE)).isEqualTo(7);
      assertThat(child.lines()).containsExactly("property option", "variable environment");
      assertThat(Files.readAllLines(output)).isEqualTo(child.lines());
    }
  }

  @Test
  void aScriptIsTheProcessItBecomes(@TempDir Path folder) throws Exception {
    Path script = folder.resolve("start");
    Files.writeString(
        script, "#!/bin/sh\nexec \"$JAVA_HOME/bin/java\" $JAVA_OPTS -cp \"$CP\" \"$@\"\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    try (ChildJvm child =
        ChildJvm.script(script)
            .environment("CP", System.getProperty("java.class.path"))
            .environment("JAVA_OPTS", "-Dgiven=option")
            .arguments(Child.class.getName(), "litter")
            .start()) {
      child.awaitLine("property option"::equals, PATIENCE);
      assertThat(path(child, "litter ").toString()).contains("waybill-jvm-");

      child.terminate();

      assertThat(child.awaitExit(PATIENCE)).isEqualTo(128 + 15);
    }
  }

  @Test
  void whatAKilledJvmLeavesInItsTemporaryFolderIsDeleted() {
    Path litter;
    try (ChildJvm child = ChildJvm.builder(Child.class).arguments("litter").start()) {
      litter = path(child, "litter ");
      child.kill();
      assertThat(litter).exists();
    }
    assertThat(litter).doesNotExist();
    assertThat(litter.getParent()).doesNotExist();
  }

  @Test
  void sharesTheCacheWithItsParent() {
    try (ChildJvm child = ChildJvm.builder(Child.class).arguments("litter").start()) {
      assertThat(path(child, "cache ")).isEqualTo(PostgresBinaries.folder(18));
    }
  }

  private static Path path(ChildJvm child, String prefix) {
    return Path.of(
        child.awaitLine(line -> line.startsWith(prefix), PATIENCE).substring(prefix.length()));
  }

  @Test
  void endsBySignals() {
    try (ChildJvm child = waiting()) {
      child.terminate();
      assertThat(child.awaitExit(PATIENCE)).isEqualTo(128 + 15);
    }
    try (ChildJvm child = waiting()) {
      child.kill();
      assertThat(child.awaitExit(PATIENCE)).isEqualTo(128 + 9);
    }
  }

  @Test
  void freezesAndGoesOn() {
    try (ChildJvm child = waiting()) {
      child.suspend();
      child.terminate();
      assertThatThrownBy(() -> child.awaitExit(Duration.ofMillis(300)))
          .hasMessageContaining("still runs");

      child.resume();

      assertThat(child.awaitExit(PATIENCE)).isEqualTo(128 + 15);
    }
  }

  @Test
  void reportsTheLastLinesIfTheOneWaitedForNeverComes() {
    try (ChildJvm child = ChildJvm.builder(Child.class).arguments("exit").start()) {
      assertThatThrownBy(() -> child.awaitLine("nothing"::equals, PATIENCE))
          .hasMessageContaining("ended without")
          .hasMessageContaining("property null");
    }
  }

  @Test
  void dieWithTheirParentEvenIfItIsKilled() throws Exception {
    try (ChildJvm parent = ChildJvm.builder(Child.class).arguments("parent").start()) {
      String line = parent.awaitLine(text -> text.startsWith("grandchild "), PATIENCE);
      ProcessHandle grandchild =
          ProcessHandle.of(Long.parseLong(line.substring("grandchild ".length()))).orElseThrow();

      killAlone(parent.pid());

      grandchild.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(grandchild.isAlive()).isFalse();
    }
  }

  /** Unlike {@link ChildJvm#kill()}, which takes the children along. */
  private static void killAlone(long pid) {
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
  }

  private static ChildJvm waiting() {
    ChildJvm child = ChildJvm.builder(Child.class).arguments("wait").start();
    child.awaitLine(line -> line.startsWith("variable"), PATIENCE);
    return child;
  }
}
