package dev.waybill.it.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineListener.Point;
import dev.waybill.engine.EngineState;
import dev.waybill.servers.ChildJvm;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** An engine in a JVM of its own, to be killed. */
public final class EngineProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final ChildJvm jvm;

  private EngineProcess(ChildJvm jvm) {
    this.jvm = jvm;
  }

  public static EngineProcess start(World world, String... jvmOptions) {
    return new EngineProcess(
        builder().arguments(world.configurationFile().toString()).jvmOptions(jvmOptions).start());
  }

  /** An engine that halts its JVM when it reaches {@code point} for the nth time. */
  public static EngineProcess haltingAt(World world, Point point, int times) {
    return new EngineProcess(
        builder()
            .arguments(world.configurationFile().toString(), point.name(), Integer.toString(times))
            .start());
  }

  private static ChildJvm.Builder builder() {
    return ChildJvm.builder(EngineMain.class)
        .jvmOptions("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
  }

  /** Waits until the engine has been in a state, now or before. */
  public EngineProcess awaitState(EngineState state) {
    jvm.awaitLine(line -> line.startsWith(EngineMain.STATE + state + " "), PATIENCE);
    return this;
  }

  /** Waits until the engine has entered a state so many times. */
  public void awaitState(EngineState state, int times) {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(jvm.lines())
                    .as(jvm.tail())
                    .filteredOn(line -> line.startsWith(EngineMain.STATE + state + " "))
                    .hasSizeGreaterThanOrEqualTo(times));
  }

  /** Waits until it has halted at its point. */
  public void awaitHalt() {
    assertThat(jvm.awaitExit(PATIENCE)).as(jvm.tail()).isEqualTo(EngineMain.HALTED);
  }

  public int awaitExit() {
    return jvm.awaitExit(PATIENCE);
  }

  /** SIGTERM; returns how long the process then lived. */
  public Duration terminate() {
    long start = System.nanoTime();
    jvm.terminate();
    jvm.awaitExit(PATIENCE);
    return Duration.ofNanos(System.nanoTime() - start);
  }

  public void kill() {
    jvm.kill();
  }

  /** SIGSTOP. */
  public void suspend() {
    jvm.suspend();
  }

  /** SIGCONT. */
  public void resume() {
    jvm.resume();
  }

  public List<String> lines() {
    return jvm.lines();
  }

  @Override
  public void close() {
    jvm.close();
  }
}
