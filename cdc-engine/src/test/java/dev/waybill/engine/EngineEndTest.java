package dev.waybill.engine;

import static dev.waybill.engine.EngineState.FAILED;
import static dev.waybill.engine.EngineState.WAITING_FOR_BROKER;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** However an engine ends, somebody hears of it. Its broker is a port at which nobody listens. */
@Timeout(60)
class EngineEndTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String name = EngineWorld.newName();

  private OutboxEngine engine(Consumer<EngineState> atState) throws IOException {
    EngineListener listener =
        new EngineListener() {
          @Override
          public void stateChanged(EngineStatus before, EngineStatus after) {
            atState.accept(after.state());
          }
        };
    return OutboxEngine.builder(config()).listener(listener).build();
  }

  private EngineConfig config() throws IOException {
    int nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = socket.getLocalPort();
    }
    String yaml =
        """
        engine.name: %s
        source: { url: "jdbc:postgresql://127.0.0.1:%d/shop", user: waybill, password: waybill }
        publish.kafka: { bootstrap.servers: "127.0.0.1:%d", max.block.ms: 1000 }
        http.port: 0
        supervisor: { back-off-first: 50ms, back-off-longest: 50ms }
        """
            .formatted(name, nobody, nobody);
    return EngineConfig.parse("test.yaml", yaml, Map.of());
  }

  private static Thread threadOf(String engine) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("waybill-" + engine))
        .findAny()
        .orElseThrow();
  }

  @Test
  void errorsOfTheListenerEndTheEngineAndNobodyWaitsForEver() throws Exception {
    Consumer<EngineState> breaks =
        state -> {
          if (state == WAITING_FOR_BROKER || state == FAILED) {
            throw new AssertionError("the listener is broken at " + state);
          }
        };
    try (OutboxEngine engine = engine(breaks)) {
      engine.start();
      assertThat(engine.awaitEnd(PATIENCE)).isTrue();
      assertThat(engine.status().state()).isEqualTo(FAILED);
      assertThat(engine.failure().orElseThrow())
          .hasMessage("the listener is broken at waiting-for-broker");
    }
  }

  @Test
  void anInterruptThatIsNoCloseIsAFailure() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    Consumer<EngineState> notes =
        state -> {
          if (state == WAITING_FOR_BROKER) {
            waits.countDown();
          }
        };
    try (OutboxEngine engine = engine(notes)) {
      engine.start();
      assertThat(waits.await(PATIENCE.toSeconds(), SECONDS)).isTrue();
      threadOf(name).interrupt();
      assertThat(engine.awaitEnd(PATIENCE)).isTrue();
      assertThat(engine.status().state()).isEqualTo(FAILED);
      assertThat(engine.failure().orElseThrow()).hasMessageContaining("interrupted");
    }
  }

  /** The interrupt of a thread that has not started need not have any effect. */
  @Test
  void aStopBeforeTheFirstAttemptIsNotMissed() throws Exception {
    EngineConfig config = config();
    Clock clock = Clock.systemUTC();
    CurrentStatus status = new CurrentStatus(name, clock, EngineListener.NONE);
    EngineMeters meters = new EngineMeters(name, new SimpleMeterRegistry(), clock);
    Journal journal = new Journal(name, status, meters, EngineListener.NONE);
    Stages stages = Stages.of(config, journal, clock);
    RetainedLog retainedLog =
        new RetainedLog(stages.source(), config.supervision().measureEvery(), System::nanoTime);
    Supervisor supervisor =
        new Supervisor(stages, journal, retainedLog, config.supervision().backOff(), new Random(7));
    supervisor.stop();
    supervisor.run();
    assertThat(journal.failuresInARow()).isZero();
    assertThat(supervisor.failure()).isNull();
  }
}
