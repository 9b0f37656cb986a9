package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineListener.Point;
import dev.waybill.engine.EngineState;
import dev.waybill.event.OutboxEvent;
import dev.waybill.it.load.Audit;
import dev.waybill.it.load.Kind;
import dev.waybill.it.load.Ledger;
import dev.waybill.it.load.MixedLoad;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.EngineProcess;
import dev.waybill.it.world.World;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** G1 for rows that were there before the first start, whatever happens to it. */
abstract class FirstStartSuite {

  private final Ledger ledger = new Ledger();
  private final World world;

  FirstStartSuite(World world) {
    this.world = world;
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void existingRowsAreNeitherLostNorRepeatedWhileOthersAreWritten() {
    try (MixedLoad load =
        MixedLoad.start(world, ledger, Kind.KEEPING_ROWS, 3, Duration.ofMillis(1), 21)) {
      load.awaitMore(2_000);
      try (Engine engine = Engine.start(world).awaitState(EngineState.STREAMING)) {
        load.awaitMore(500);
        load.stop();

        Audit audit = Audit.await(ledger, world.topics());

        audit.assertAll();
        audit.assertNoRepeats();
        assertThat(engine.statuses())
            .extracting(status -> status.state())
            .contains(EngineState.FIRST_START);
      }
    }
  }

  @Test
  void rowsThatWereDeletedBeforeTheFirstStartAreNoEvents() throws SQLException {
    world.append(event("1", "a"), event("2", "a"));
    world.execute("DELETE FROM outbox_event WHERE event_id = '1'");
    try (Engine engine = Engine.start(world).awaitState(EngineState.STREAMING)) {
      world.append(event("3", "a"));

      world.awaitIds("2", "3");
      engine.assertStreaming();
    }
  }

  @Test
  void existingRowsComeInTheOrderOfTheirVersions() throws SQLException {
    world.append(versioned("b", 2), versioned("c", 3));
    world.append(versioned("a", 1));
    try (Engine engine = Engine.start(world)) {
      world.awaitIds("a", "b", "c");
      engine.assertStreaming();
    }
  }

  @Test
  void aTransactionThatIsOpenDuringTheFirstStartIsPublishedOnceItCommits() throws SQLException {
    try (Connection open = world.begin()) {
      world.outbox().append(open, event("1", "open"));
      world.append(event("2", "committed"));
      try (Engine engine = Engine.start(world)) {
        world.outbox().append(open, event("3", "open"));
        open.commit();
        engine.awaitState(EngineState.STREAMING);

        assertThat(world.awaitPublished(3)).hasSize(3);
        assertThat(world.publishedIds()).containsExactlyInAnyOrder("1", "2", "3");
      }
    }
  }

  @Test
  void nowLeavesExistingRowsOut() throws SQLException {
    world.with("source.first-start", "now").append(event("1", "a"));
    try (Engine engine = Engine.start(world).awaitState(EngineState.STREAMING)) {
      world.append(event("2", "a"));

      world.awaitIds("2");
      engine.assertStreaming();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "FIRST_START_RECORDED, 1",
    "FIRST_START_OPENED, 1",
    "SENT, 1",
    "PUBLISHED, 1",
    "PROGRESS_STORED, 1",
    "PROGRESS_STORED, 2",
    "ACKNOWLEDGING, 1"
  })
  void killedInAnyOfItsStepsItLosesNothing(Point point, int times) {
    write("before", 5, 22);
    // Some points are passed only if the log goes on.
    try (EngineProcess engine = EngineProcess.haltingAt(world, point, times);
        MixedLoad load =
            MixedLoad.start(world, ledger, Kind.KEEPING_ROWS, 1, Duration.ofMillis(20), 23)) {
      load.awaitMore(1);
      engine.awaitHalt();
    }
    write("between", 2, 24);
    try (Engine engine = Engine.start(world).awaitState(EngineState.STREAMING)) {
      write("after", 2, 25);

      Audit.await(ledger, world.topics()).assertAll();
      engine.assertStreaming();
    }
  }

  /** Before the log has its beginning, a row that was deleted again is nowhere. */
  private void write(String writer, int times, long seed) {
    MixedLoad.writeAll(world, ledger, Kind.KEEPING_ROWS, writer, times, seed);
  }

  private static OutboxEvent versioned(String id, long version) {
    return OutboxEvent.builder("order", "1", "OrderChanged")
        .eventId(id)
        .aggregateVersion(version)
        .json("{}")
        .build();
  }
}
