package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.it.world.Engine;
import dev.waybill.it.world.Published;
import dev.waybill.it.world.World;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.PostgresServer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Publications, and the times and partitions of PostgreSQL. */
abstract class PostgresConfigurationSuite extends ConfigurationSuite {

  private final int version;

  PostgresConfigurationSuite(int version) {
    super(World.onPostgres(version));
    this.version = version;
  }

  @Override
  DatabaseServer unfitServer() {
    return PostgresServer.builder(version)
        .setting("wal_level", "replica")
        .setting("max_replication_slots", "1")
        .start();
  }

  @Override
  void spoil(World unfit) {
    unfit.execute(
        "CREATE ROLE waybill_capture LOGIN PASSWORD 'waybill_capture'",
        "SELECT pg_create_physical_replication_slot('taken')");
  }

  @Override
  List<String> problems() {
    return List.of(
        "wal_level", "REPLICATION", "public.outbox_event", "publication", "max_replication_slots");
  }

  @Override
  void dropPrimaryKey() {
    world.execute("ALTER TABLE outbox_event DROP CONSTRAINT outbox_event_pkey");
  }

  @Override
  void allowNoTime() {
    world.execute("ALTER TABLE outbox_event ALTER occurred_at DROP NOT NULL");
  }

  @Override
  void createPartitioned(World empty) {
    empty.execute(
        """
        CREATE TABLE outbox_event (
          id bigint NOT NULL,
          event_id varchar(64) NOT NULL,
          aggregate_type varchar(64) NOT NULL,
          aggregate_id varchar(255) NOT NULL,
          aggregate_version bigint,
          event_type varchar(128) NOT NULL,
          event_version integer NOT NULL DEFAULT 1,
          topic varchar(249), event_key varchar(255), payload json, headers json,
          occurred_at timestamptz NOT NULL DEFAULT now()
        ) PARTITION BY RANGE (id);
        CREATE TABLE p1 PARTITION OF outbox_event FOR VALUES FROM (0) TO (100);
        """);
  }

  @Override
  void addPartition(World partitioned) {
    partitioned.execute("CREATE TABLE p2 PARTITION OF outbox_event FOR VALUES FROM (100) TO (200)");
  }

  @Override
  void dropPartition(World partitioned) {
    partitioned.execute("ALTER TABLE outbox_event DETACH PARTITION p1", "DROP TABLE p1");
  }

  @Test
  void c49AWrongPublicationIsRefusedWithTheStatementThatMendsIt() throws SQLException {
    world.execute(
        "DROP PUBLICATION waybill_" + world.engine(),
        "CREATE PUBLICATION waybill_" + world.engine() + " FOR TABLE outbox_event");
    String remedy;
    try (Engine engine = Engine.start(world)) {
      remedy = String.valueOf(engine.awaitFailure().getMessage());
    }
    assertThat(remedy).contains("ALTER PUBLICATION");
    world.execute(remedy.substring(remedy.indexOf("ALTER PUBLICATION")));
    try (Engine engine = streaming()) {
      world.append(event("1", "a"));
      world.awaitIds("1");
      engine.assertStreaming();
    }
  }

  @Test
  void c11ZonesAreHeededAndInfinityIsNoTime() {
    world.execute(INSERT + "('before infinity', 'order', '1', 'T', '{}', 'infinity')");
    Instant start = Instant.now();
    try (Engine engine = streaming()) {
      world.execute(
          INSERT
              + "('zone', 'order', '1', 'T', '{}', '2026-03-28 21:30:00.1-05'),"
              + "('infinity', 'order', '1', 'T', '{}', 'infinity')");

      Map<String, Published> published = awaitById(3);

      assertTime(published, "zone", "2026-03-29T02:30:00.1");
      assertTimeIsOfTheCommit(published, "infinity", start);
      assertTimeIsOfTheCommit(published, "before infinity", start);
      engine.assertStreaming();
    }
  }
}
