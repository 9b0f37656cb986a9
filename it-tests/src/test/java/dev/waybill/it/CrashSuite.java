package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineListener.Point;
import dev.waybill.engine.EngineState;
import dev.waybill.event.OutboxEvent;
import dev.waybill.it.load.Audit;
import dev.waybill.it.load.EventSource;
import dev.waybill.it.load.Insert;
import dev.waybill.it.load.Ledger;
import dev.waybill.it.load.LoadEvent;
import dev.waybill.it.load.MixedLoad;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.EngineProcess;
import dev.waybill.it.world.World;
import dev.waybill.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** G1, G2 and G7 when the engine dies, wherever it was. */
abstract class CrashSuite {

  /**
   * How often the engine is killed, or its reader.
   *
   * @param atRandom under load, at any moment
   * @param batches at which of its batches, when it is killed at a point of the loop
   * @param readers how often the server ends what reads the log for it
   */
  record Kills(int atRandom, List<Integer> batches, int readers) {

    static final Kills MANY = new Kills(30, List.of(1, 7, 20), 5);
    static final Kills FEW = new Kills(6, List.of(7), 5);
  }

  private final Ledger ledger = new Ledger();
  final World world;
  final Outbox outbox;
  private final Kills kills;

  CrashSuite(World world, Kills kills) {
    this.world = world;
    this.outbox = world.outbox();
    this.kills = kills;
  }

  /** From here on the log keeps what is written, deleted rows included. */
  @BeforeEach
  void startOnceAndClose() {
    try (Engine engine = streaming()) {
      engine.assertStreaming();
    }
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void c39KilledAgainAndAgainUnderLoadItLosesNothingAndKeepsTheOrder() {
    SplittableRandom random = new SplittableRandom(31);
    world.with("source.batch-size", "64").with("source.heartbeat", "100ms");
    try (MixedLoad load = MixedLoad.start(world, ledger, 2, Duration.ofMillis(4), 32)) {
      for (int kill = 0; kill < kills.atRandom(); kill++) {
        try (EngineProcess engine = EngineProcess.start(world)) {
          if (kill % 5 != 4) {
            engine.awaitState(EngineState.STREAMING);
          }
          load.awaitMore(1 + random.nextInt(400));
          engine.kill();
        }
      }
    }
    assertAllIsPublishedByTheNextEngine();
  }

  @ParameterizedTest
  @EnumSource(
      value = Point.class,
      names = {"SENT", "PUBLISHED", "PROGRESS_STORED", "ACKNOWLEDGING", "ACKNOWLEDGED"})
  void c39KilledAtEachPointOfTheLoopItLosesNothing(Point point) {
    world.with("source.batch-size", "16");
    try (MixedLoad load = MixedLoad.start(world, ledger, 2, Duration.ofMillis(4), 33)) {
      for (int batches : kills.batches()) {
        try (EngineProcess engine = EngineProcess.haltingAt(world, point, batches)) {
          load.awaitMore(1);
          engine.awaitHalt();
        }
      }
    }
    assertAllIsPublishedByTheNextEngine();
  }

  /** The locator of Debezium took the beginning of such a transaction for processed. */
  @Test
  void c36ATransactionInterleavedWithAPublishedOneIsWholeAfterARestart() throws SQLException {
    world.with("source.heartbeat", "100ms").append(event("warm", "a"));
    try (Connection first = world.begin();
        Connection second = world.begin()) {
      try (EngineProcess engine = streamingProcess()) {
        outbox.append(first, event("a1", "a"), event("a2", "a"), event("a3", "a"));
        outbox.append(second, event("b", "a"));
        second.commit();
        outbox.append(first, event("a4", "a"), event("a5", "a"));
        world.awaitPublished(2);
        world.awaitAcknowledged();
        engine.kill();
      }
      first.commit();
    }
    try (Engine engine = streaming()) {
      world.awaitIds("warm", "b", "a1", "a2", "a3", "a4", "a5");
      engine.assertStreaming();
    }
  }

  /** The rows of a COPY or LOAD DATA share one place in the log. */
  @ParameterizedTest
  @EnumSource(
      value = Point.class,
      names = {"PUBLISHED", "PROGRESS_STORED", "ACKNOWLEDGED"})
  void c37ABulkLoadLargerThanABatchIsWholeAfterACrashInItsMiddle(Point point) throws SQLException {
    world.with("source.batch-size", "10").with("source.queue-size", "20");
    EventSource source = new EventSource("bulk", new SplittableRandom(1));
    List<LoadEvent> events = source.next(500);
    try (Connection connection = world.begin()) {
      Insert.BULK.rows(world.vendor(), connection, events);
      connection.commit();
    }
    ledger.committed(events);
    try (EngineProcess engine = EngineProcess.haltingAt(world, point, 20)) {
      engine.awaitHalt();
    }
    assertAllIsPublishedByTheNextEngine();
  }

  @Test
  void aReaderThatTheServerEndsCostsNothing() {
    try (Engine engine = streaming()) {
      try (MixedLoad load = MixedLoad.start(world, ledger, 2, Duration.ofMillis(4), 34)) {
        for (int times = 0; times < kills.readers(); times++) {
          load.awaitMore(100);
          long reader = awaitReader();
          world.execute(world.vendor().endConnection(reader));
          Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> awaitReader() != reader);
        }
      }
      Audit.await(ledger, world.topics()).assertAll();
      engine.assertStreaming();
    }
  }

  @Test
  void aFrozenEngineThatReadsTheLogIsReplacedAndGoesOnWhereItsSuccessorEnded() {
    try (MixedLoad load = MixedLoad.start(world, ledger, 2, Duration.ofMillis(4), 35);
        EngineProcess frozen = streamingProcess()) {
      world.awaitAcknowledged();
      frozen.suspend();
      load.awaitMore(200);
      try (EngineProcess successor = streamingProcess()) {
        world.awaitAcknowledged();
        successor.terminate();
      }
      // It still publishes what it has read ahead, and stores that as its progress.
      frozen.resume();
      frozen.awaitState(EngineState.STREAMING, 2);
      load.awaitMore(50);
    }
    assertAllIsPublishedByTheNextEngine();
  }

  @Test
  void c40WithTheLogKeptNothingIsRepeatedFromTheStart() throws SQLException {
    List<OutboxEvent> events = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      events.add(event("e" + i, "a"));
    }
    publishAndClose(events.toArray(OutboxEvent[]::new));
    try (Engine engine = streaming()) {
      world.append(event("last", "a"));
      world.awaitPublished(1_001);

      assertThat(world.publishedIds()).hasSize(1_001).doesNotHaveDuplicates().endsWith("last");
      engine.assertStreaming();
    }
  }

  @Test
  void stopsWithinTenSecondsOfASigtermUnderLoad() {
    try (MixedLoad load = MixedLoad.start(world, ledger, 2, Duration.ofMillis(2), 36);
        EngineProcess engine = streamingProcess()) {
      load.awaitMore(300);

      assertThat(engine.terminate()).isLessThan(Duration.ofSeconds(10));
    }
    assertAllIsPublishedByTheNextEngine();
  }

  private void assertAllIsPublishedByTheNextEngine() {
    try (Engine engine = streaming()) {
      Audit.await(ledger, world.topics()).assertAll();
      engine.assertStreaming();
    }
  }

  final void publishAndClose(OutboxEvent... events) throws SQLException {
    try (Engine engine = streaming()) {
      world.append(events);
      world.awaitPublished(events.length);
      engine.assertStreaming();
    }
  }

  final Engine streaming() {
    return Engine.start(world).awaitState(EngineState.STREAMING);
  }

  final EngineProcess streamingProcess() {
    return EngineProcess.start(world).awaitState(EngineState.STREAMING);
  }

  private long awaitReader() {
    String reader = world.vendor().logReader(world.engine());
    Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> world.query(reader) != null);
    return world.count(reader);
  }
}
