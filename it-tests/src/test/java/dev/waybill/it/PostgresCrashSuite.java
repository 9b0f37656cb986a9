package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.capture.GapException;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.EngineProcess;
import dev.waybill.it.world.PostgresVendor;
import dev.waybill.it.world.World;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** What else can happen to an engine that reads from a slot. */
abstract class PostgresCrashSuite extends CrashSuite {

  private final String slot;

  PostgresCrashSuite(World world, Kills kills) {
    super(world, kills);
    this.slot = PostgresVendor.slot(world);
  }

  @Test
  void c38TransactionalMessagesBesideRowsLoseNothing() throws SQLException {
    world.append(event("warm", "a"));
    try (EngineProcess engine = streamingProcess();
        Connection connection = world.begin()) {
      world.awaitPublished(1);
      emitMessage(connection);
      outbox.append(connection, event("x1", "a"));
      connection.commit();
      world.awaitPublished(2);
      emitMessage(connection);
      outbox.append(connection, event("x2", "a"));
      emitMessage(connection);
      engine.kill();
      connection.commit();
    }
    try (Engine engine = streaming()) {
      world.awaitPublished(3);
      assertThat(world.publishedIds().stream().distinct()).containsExactly("warm", "x1", "x2");
      engine.assertStreaming();
    }
  }

  @Test
  void c30AMissingSlotStopsTheEngineWithTheRemedy() throws SQLException {
    publishAndClose(event("warm", "a"));
    world.execute("SELECT pg_drop_replication_slot('" + slot + "')");
    world.append(event("gap", "a"));
    try (Engine engine = Engine.start(world)) {
      assertThat(engine.awaitFailure())
          .isInstanceOf(GapException.class)
          .hasMessageContaining(slot)
          .hasMessageContaining("does not exist")
          .hasMessageContaining("progress");
    }
    assertThat(world.publishedIds()).containsExactly("warm");
    assertThat(world.logReaders()).as("slots made behind the operator's back").isZero();
  }

  @Test
  void aSlotThatWasMovedBySomebodyElseStopsTheEngine() throws SQLException {
    publishAndClose(event("warm", "a"));
    world.append(event("gap", "a"));
    world.execute("SELECT pg_replication_slot_advance('" + slot + "', pg_current_wal_lsn())");
    try (Engine engine = Engine.start(world)) {
      assertThat(engine.awaitFailure()).isInstanceOf(GapException.class);
    }
    assertThat(world.publishedIds()).containsExactly("warm");
  }

  private static void emitMessage(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("SELECT pg_logical_emit_message(true, 'other', 'content')");
    }
  }
}
