package dev.waybill.it.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineConfig;
import dev.waybill.engine.EngineListener;
import dev.waybill.engine.EngineState;
import dev.waybill.engine.EngineStatus;
import dev.waybill.engine.OutboxEngine;
import dev.waybill.engine.capture.Change;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * An engine in this JVM, for tests that kill nothing. Closing it ends with a look for leaks:
 * threads, connections, a slot still in use.
 */
public final class Engine implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final World world;
  private final OutboxEngine engine;
  private final List<EngineStatus> statuses = new CopyOnWriteArrayList<>();
  private final Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();

  private Engine(World world, EngineListener listener) {
    this.world = world;
    this.engine =
        OutboxEngine.builder(EngineConfig.parse("test", world.yaml(), Map.of()))
            .listener(new Recording(listener))
            .build();
    engine.start();
  }

  public static Engine start(World world) {
    return new Engine(world, EngineListener.NONE);
  }

  public static Engine start(World world, EngineListener listener) {
    return new Engine(world, listener);
  }

  /** Waits until the engine is in a state. */
  public Engine awaitState(EngineState state) {
    Awaitility.await()
        .atMost(PATIENCE)
        .failFast(
            "the engine has ended",
            () ->
                assertThat(status())
                    .matches(now -> now.state() == state || !now.state().isFinal(), "can go on"))
        .until(() -> status().state() == state);
    return this;
  }

  /** Waits until the engine streams: all that a test did to it is over. */
  public void assertStreaming() {
    awaitState(EngineState.STREAMING);
  }

  public EngineStatus status() {
    return engine.status();
  }

  /** Every state entered so far, in order. */
  public List<EngineStatus> statuses() {
    return List.copyOf(statuses);
  }

  /** Waits until the engine has ended by itself. */
  public Throwable awaitFailure() {
    awaitState(EngineState.FAILED);
    return engine.failure().orElseThrow();
  }

  public OutboxEngine engine() {
    return engine;
  }

  @Override
  public void close() {
    engine.close();
    assertNoThreadIsLeft();
    if (world.databaseServer().isRunning()) {
      assertNoConnectionIsLeft();
    }
  }

  private void assertNoThreadIsLeft() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> assertThat(left()).as("threads that the engine left behind").isEmpty());
  }

  /** New threads of the engine and what they do. */
  private Map<String, String> left() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> !threadsBefore.contains(thread.getKey()))
        .filter(thread -> isTheEngines(thread.getKey().getName()))
        .collect(
            Collectors.toMap(
                thread -> thread.getKey().getName(),
                thread ->
                    Arrays.stream(thread.getValue())
                        .map(StackTraceElement::toString)
                        .collect(Collectors.joining("\n  at ", "\n  at ", "\n")),
                (one, other) -> one + other));
  }

  private static boolean isTheEngines(String thread) {
    return thread.startsWith("waybill")
        || thread.startsWith("debezium")
        || thread.startsWith("kafka-producer-network-thread | waybill");
  }

  private void assertNoConnectionIsLeft() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(world.count(world.vendor().captureConnections(world.database())))
                    .as("connections that the engine left behind")
                    .isZero());
  }

  private final class Recording implements EngineListener {

    private final EngineListener next;

    Recording(EngineListener next) {
      this.next = next;
    }

    @Override
    public void reached(Point point) {
      next.reached(point);
    }

    @Override
    public void parked(Change change, String reason) {
      next.parked(change, reason);
    }

    @Override
    public void stateChanged(EngineStatus before, EngineStatus after) {
      statuses.add(after);
      next.stateChanged(before, after);
    }
  }
}
