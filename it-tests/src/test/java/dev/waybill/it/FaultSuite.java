package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineListener;
import dev.waybill.engine.EngineState;
import dev.waybill.engine.EngineStatus;
import dev.waybill.it.load.Audit;
import dev.waybill.it.load.Ledger;
import dev.waybill.it.load.MixedLoad;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.World;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.KafkaBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Source or broker are away, at the start or later: the engine waits, says so once, and goes on by
 * itself; nothing is lost, no order is changed, and the source is told nothing too early. The
 * servers belong to the suite alone, the broker makes no topics by itself.
 */
abstract class FaultSuite {

  /** For {@link #broker}. */
  static final Map<String, String> BROKER_SETTINGS = Map.of("auto.create.topics.enable", "false");

  private final Ledger ledger = new Ledger();
  private final DatabaseServer database;
  private final KafkaBroker broker;
  final World world;

  FaultSuite(DatabaseServer database, KafkaBroker broker) {
    this.database = database;
    this.broker = broker;
    this.world = World.on(database, broker);
    world
        .with("publish.kafka.delivery.timeout.ms", "4000")
        .with("publish.kafka.max.block.ms", "2000")
        .with("supervisor.back-off-first", "100ms")
        .with("supervisor.back-off-longest", "1s");
    world.topics().create("order", 3);
  }

  /**
   * The source has been told of no more than what the broker had acknowledged when it went away: of
   * some batches behind {@code place} at most.
   */
  abstract void assertLittleIsForgottenBehind(String place);

  @AfterEach
  void closeWorld() {
    database.start();
    broker.start();
    world.close();
  }

  @Test
  void c27TheBrokerIsRestartedAndKilledUnderLoad() {
    world.topics().create("payment", 3);
    try (Engine engine = streaming()) {
      try (MixedLoad load = load(41)) {
        for (int times = 0; times < 2; times++) {
          load.awaitMore(300);
          broker.stop();
          broker.start();
          engine.assertStreaming();
          load.awaitMore(300);
          broker.kill();
          broker.start();
          engine.assertStreaming();
        }
        load.awaitMore(300);
      }
      Audit.await(ledger, world.topics()).assertAll();
      engine.assertStreaming();
    }
  }

  @Test
  void c26TheBrokerIsAwayForLongerThanAnyTimeOut() throws Exception {
    world.topics().create("payment", 3);
    try (Engine engine = streaming();
        MixedLoad load = load(42)) {
      load.awaitMore(200);
      broker.kill();
      String killedAt = world.logEnd();
      load.awaitMore(100);
      engine.awaitState(EngineState.WAITING_FOR_BROKER);
      load.awaitMore(2_000);

      assertThat(health(engine, "ready").statusCode()).isEqualTo(503);
      assertThat(health(engine, "live").statusCode()).isEqualTo(200);
      assertThat(health(engine, "ready").body()).contains("waiting-for-broker");
      assertLittleIsForgottenBehind(killedAt);
      assertThat(statesSince(engine, EngineState.WAITING_FOR_BROKER))
          .as("changes of state, each a line of the log, while the broker is away")
          .containsExactly(EngineState.WAITING_FOR_BROKER);

      broker.start();
      engine.awaitState(EngineState.STREAMING);
      load.stop();
      Audit.await(ledger, world.topics()).assertAll();
      assertThat(health(engine, "ready").statusCode()).isEqualTo(200);
    }
  }

  /** Connections stay open and nothing is answered; what it had taken in comes out later. */
  @Test
  void c27TheBrokerIsFrozenForLongerThanAnyTimeOut() {
    world.topics().create("payment", 3);
    try (Engine engine = streaming();
        MixedLoad load = load(44)) {
      load.awaitMore(200);
      String frozenAt = world.logEnd();
      broker.suspend();
      try {
        load.awaitMore(100);
        engine.awaitState(EngineState.WAITING_FOR_BROKER);
        load.awaitMore(500);
        assertLittleIsForgottenBehind(frozenAt);
      } finally {
        broker.resume();
      }
      engine.awaitState(EngineState.STREAMING);
      load.stop();
      Audit.await(ledger, world.topics()).assertAll();
    }
  }

  @Test
  void c29TheDatabaseIsRestartedAndKilledUnderLoad() {
    world.topics().create("payment", 3);
    try (Engine engine = streaming()) {
      try (MixedLoad load = load(43)) {
        for (int times = 0; times < 2; times++) {
          load.awaitMore(300);
          database.stop();
          database.start();
          load.awaitMore(300);
          database.kill();
          database.start();
        }
        load.awaitMore(300);
      }
      Audit.await(ledger, world.topics()).assertAll();
      engine.assertStreaming();
      assertThat(engine.statuses())
          .extracting(EngineStatus::state)
          .contains(EngineState.WAITING_FOR_SOURCE)
          .doesNotContain(EngineState.FAILED);
    }
  }

  @Test
  void c29TheDatabaseIsAwayForAWhile() throws SQLException {
    try (Engine engine = streaming()) {
      world.append(event("1", "a"));
      world.awaitPublished(1);
      database.kill();
      engine.awaitState(EngineState.WAITING_FOR_SOURCE);
      awaitAttempts(engine);

      assertThat(statesSince(engine, EngineState.WAITING_FOR_SOURCE))
          .as("changes of state, each a line of the log, while the source is away")
          .containsExactly(EngineState.WAITING_FOR_SOURCE);

      database.start();
      world.append(event("2", "a"));
      world.awaitPublished(2);
      assertThat(world.publishedIds().stream().distinct()).containsExactly("1", "2");
      engine.assertStreaming();
    }
  }

  @Test
  void c29TheDatabaseIsAwayAtTheStart() throws SQLException {
    world.append(event("1", "a"));
    database.stop();
    try (Engine engine = Engine.start(world).awaitState(EngineState.WAITING_FOR_SOURCE)) {
      database.start();
      world.append(event("2", "a"));

      world.awaitIds("1", "2");
      engine.assertStreaming();
    }
  }

  @Test
  void c26TheBrokerIsAwayAtTheStart() throws SQLException {
    world.append(event("1", "a"));
    broker.stop();
    try (Engine engine = Engine.start(world).awaitState(EngineState.WAITING_FOR_BROKER)) {
      assertThat(world.logReaders())
          .as("what holds log back for an engine that could not publish")
          .isZero();
      broker.start();

      world.awaitIds("1");
      engine.assertStreaming();
    }
  }

  @Test
  void c25AMissingTopicIsNamedAndWaitedFor() throws Exception {
    try (Engine engine = streaming()) {
      world.append(event("1", "a"));
      world.awaitPublished(1);
      world.execute(
          "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)"
              + " VALUES ('2', 'refund', 'a', 'T', '{}')");
      world.append(event("3", "a"));
      engine.awaitState(EngineState.WAITING_FOR_BROKER);
      awaitAttempts(engine);

      assertThat(engine.status().reason()).contains(world.prefix() + "refund");
      assertThat(health(engine, "ready").body()).contains(world.prefix() + "refund");
      assertThat(statesSince(engine, EngineState.WAITING_FOR_BROKER))
          .containsExactly(EngineState.WAITING_FOR_BROKER);

      world.topics().create("refund", 1);
      world.awaitPublished(3);
      engine.assertStreaming();
      assertThat(world.publishedIds().stream().distinct()).containsExactlyInAnyOrder("1", "2", "3");
    }
  }

  @Test
  void c28AFailureInTheLoopIsRecoveredFrom() throws SQLException {
    AtomicInteger failures = new AtomicInteger(3);
    EngineListener failing =
        new EngineListener() {
          @Override
          public void reached(Point point) {
            if (point == Point.PUBLISHED && failures.getAndDecrement() > 0) {
              throw new IllegalStateException("thrown by the test");
            }
          }
        };
    try (Engine engine = Engine.start(world, failing)) {
      world.append(event("1", "a"), event("2", "a"));

      world.awaitPublished(2);
      engine.assertStreaming();
      Awaitility.await().until(() -> failures.get() <= 0);
      assertThat(engine.statuses())
          .extracting(EngineStatus::state)
          .contains(EngineState.RECOVERING);
      assertThat(world.publishedIds().stream().distinct()).containsExactly("1", "2");
    }
  }

  @Test
  void c28AnErrorInTheLoopEndsTheEngineVisibly() throws SQLException {
    AssertionError error = new AssertionError("thrown by the test");
    EngineListener failing =
        new EngineListener() {
          @Override
          public void reached(Point point) {
            if (point == Point.PUBLISHED) {
              throw error;
            }
          }
        };
    world.append(event("1", "a"));
    try (Engine engine = Engine.start(world, failing)) {
      assertThat(engine.awaitFailure()).isSameAs(error);
    }
    try (Engine engine = streaming()) {
      world.awaitPublished(1);
      assertThat(world.publishedIds()).contains("1");
      engine.assertStreaming();
    }
  }

  private MixedLoad load(long seed) {
    return MixedLoad.start(world, ledger, 2, Duration.ofMillis(4), seed);
  }

  private Engine streaming() {
    return Engine.start(world).awaitState(EngineState.STREAMING);
  }

  /** Waits until the engine has tried and failed a few times more. */
  private static void awaitAttempts(Engine engine) {
    long enough = restarts(engine) + 3;
    Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> restarts(engine) >= enough);
  }

  private static long restarts(Engine engine) {
    return page(engine, "metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("waybill_restarts_total"))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** The last time that {@code state} was entered, and what came after it. */
  private static List<EngineState> statesSince(Engine engine, EngineState state) {
    List<EngineState> states = engine.statuses().stream().map(EngineStatus::state).toList();
    return states.subList(states.indexOf(state), states.size());
  }

  private static HttpResponse<String> health(Engine engine, String page) {
    return page(engine, "health/" + page);
  }

  private static HttpResponse<String> page(Engine engine, String page) {
    int port = engine.engine().httpAddress().orElseThrow().getPort();
    URI uri = URI.create("http://127.0.0.1:" + port + "/" + page);
    try {
      return HttpClient.newHttpClient()
          .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
