package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineState;
import dev.waybill.it.load.Audit;
import dev.waybill.it.load.Ledger;
import dev.waybill.it.load.MixedLoad;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.World;
import dev.waybill.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * G1, G2: what is committed is published, in commit order per aggregate; what is rolled back is
 * not.
 */
abstract class NoLossSuite {

  private final Ledger ledger = new Ledger();
  private final World world;
  private final Outbox outbox;

  NoLossSuite(World world) {
    this.world = world;
    this.outbox = world.outbox();
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void everyKindOfTransactionIsPublishedOnceAndInOrder() {
    try (Engine engine = streaming()) {
      MixedLoad.writeAll(world, ledger, "w", 5, 11);

      Audit audit = Audit.await(ledger, world.topics());

      audit.assertAll();
      audit.assertNoRepeats();
      engine.assertStreaming();
    }
  }

  @Test
  void severalWritersAtOnceArePublishedOnceAndInOrder() {
    try (Engine engine = streaming()) {
      try (MixedLoad load = MixedLoad.start(world, ledger, 4, Duration.ofMillis(1), 12)) {
        load.awaitMore(3_000);
      }

      Audit audit = Audit.await(ledger, world.topics());

      audit.assertAll();
      audit.assertNoRepeats();
      engine.assertStreaming();
    }
  }

  @Test
  void cleanStopsUnderLoadLoseNothing() {
    startOnceAndClose();
    try (MixedLoad load = MixedLoad.start(world, ledger, 2, Duration.ofMillis(2), 13)) {
      for (int starts = 0; starts < 6; starts++) {
        try (Engine engine = streaming()) {
          load.awaitMore(150);
          engine.assertStreaming();
        }
      }
    }
    try (Engine engine = streaming()) {
      Audit.await(ledger, world.topics()).assertAll();
      engine.assertStreaming();
    }
  }

  @Test
  void c16CommitOrderIsNotIdOrder() throws SQLException {
    try (Engine engine = streaming();
        Connection first = world.begin();
        Connection second = world.begin()) {
      outbox.append(first, event("1", "a"));
      outbox.append(second, event("2", "a"));
      second.commit();
      outbox.append(first, event("3", "a"));
      first.commit();

      world.awaitIds("2", "1", "3");
      engine.assertStreaming();
    }
  }

  @Test
  void c17RollbackSavepointAndInsertThenDelete() throws SQLException {
    try (Engine engine = streaming();
        Connection connection = world.begin()) {
      outbox.append(connection, event("keep1", "a"));
      Savepoint savepoint = connection.setSavepoint();
      outbox.append(connection, event("gone", "a"));
      connection.rollback(savepoint);
      outbox.append(connection, event("keep2", "a"));
      outbox.append(connection, event("insdel", "a"));
      try (var statement = connection.createStatement()) {
        statement.execute("DELETE FROM outbox_event WHERE event_id = 'insdel'");
      }
      connection.commit();
      outbox.append(connection, event("rb", "a"));
      connection.rollback();
      try (var statement = connection.createStatement()) {
        for (String sql : world.vendor().copyToTemporaryTable()) {
          statement.execute(sql);
        }
      }
      outbox.append(connection, event("tmp", "a"));
      connection.rollback();
      outbox.append(connection, event("end", "a"));
      connection.commit();

      world.awaitIds("keep1", "keep2", "insdel", "end");
      engine.assertStreaming();
    }
  }

  @Test
  void deletingPublishedRowsAnnouncesNothing() throws SQLException {
    try (Engine engine = streaming()) {
      world.append(event("1", "a"), event("2", "a"));
      world.awaitPublished(2);
      world.execute("DELETE FROM outbox_event");
      world.execute("TRUNCATE TABLE outbox_event");
      world.append(event("3", "a"));

      world.awaitIds("1", "2", "3");
      engine.assertStreaming();
    }
  }

  @Test
  void c19UpdatesOfRowsAreNoEvents() throws SQLException {
    try (Engine engine = streaming();
        Connection connection = world.begin()) {
      outbox.append(connection, event("1", "a"));
      try (var statement = connection.createStatement()) {
        statement.execute("UPDATE outbox_event SET payload = '{\"changed\":true}'");
      }
      connection.commit();
      world.execute("UPDATE outbox_event SET event_id = 'other'");
      world.append(event("2", "a"));

      world.awaitIds("1", "2");
      assertThat(world.topics().read().get(0).text()).isEqualTo("{\"id\":\"1\"}");
      engine.assertStreaming();
    }
  }

  /** From here on the log keeps what is written, read or not. */
  private void startOnceAndClose() {
    try (Engine engine = streaming()) {
      engine.assertStreaming();
    }
  }

  private Engine streaming() {
    return Engine.start(world).awaitState(EngineState.STREAMING);
  }
}
