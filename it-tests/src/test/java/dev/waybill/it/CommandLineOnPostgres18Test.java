package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.it.world.PostgresVendor;
import dev.waybill.it.world.World;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class CommandLineOnPostgres18Test extends CommandLineSuite {

  private final String slot = PostgresVendor.slot(world);

  CommandLineOnPostgres18Test() {
    super(World.onPostgres(18));
  }

  @Override
  String refusedLogin() {
    return "28P01";
  }

  @Test
  void stopsOnSigtermWhileTheServerWaitsForAnOldTransaction() throws SQLException {
    try (Connection old = world.begin();
        ChildJvm engine = run()) {
      world.outbox().append(old, event("1", "a"));
      awaitState(engine, "first-start");
      Awaitility.await().atMost(PATIENCE).until(() -> world.logReaders() == 1);

      engine.terminate();

      assertThat(engine.awaitExit(STOP)).as(engine.tail()).isZero();
    }
  }

  @Test
  void c30EndsWith4WhenTheSlotIsGoneAndTheRemedyPublishesWhatIsInTheTable() throws Exception {
    publishOne("before");
    world.execute("SELECT pg_drop_replication_slot('" + slot + "')");
    world.append(event("gap", "a"));

    assertGap("slot " + slot + " does not exist");

    assertThat(world.logReaders()).isZero();
    deleteProgress();
    assertStartsAnewWith("before", "before", "gap");
  }

  @Test
  void c40EndsWith4WhenProgressIsLostAndTheRemedyPublishesWhatIsInTheTable() throws Exception {
    publishOne("before");
    deleteProgress();
    world.append(event("gap", "a"));

    assertGap("Kafka has no progress record of engine " + world.engine());

    world.execute("SELECT pg_drop_replication_slot('" + slot + "')");
    assertStartsAnewWith("before", "before", "gap");
  }

  @Test
  void c42EndsWith4AtAnotherDatabase() throws Exception {
    publishOne("before");
    Database other = world.databaseServer().createDatabase();
    other.execute(
        waybill.run("schema", "--engine", "of_" + world.engine()).text(),
        "CREATE PUBLICATION waybill_"
            + world.engine()
            + " FOR TABLE outbox_event WITH (publish = 'insert', publish_via_partition_root)");
    world.with("source.url", other.jdbcUrl());

    assertGap("was written for another database");

    world.vendor().drop(world.databaseServer(), other);
  }
}
