package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineState;
import dev.waybill.engine.capture.SourceMisconfiguredException;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.Published;
import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;
import dev.waybill.servers.DatabaseServer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What people set up wrongly or otherwise than we do: refused with the remedy, or right. */
abstract class ConfigurationSuite {

  private static final String INSERT =
      "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload,"
          + " occurred_at) VALUES ";

  private final World world;

  ConfigurationSuite(World world) {
    this.world = world;
  }

  /** A server on which nothing is as it should be. */
  abstract DatabaseServer unfitServer();

  /** A world on the same server whose database is still empty. */
  abstract World emptyWorld();

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void c49AllProblemsAreReportedTogetherAndNothingIsCreated() {
    try (DatabaseServer server = unfitServer();
        World unfit = World.empty(server, Servers.broker())) {
      unfit.execute(
          "CREATE ROLE waybill_capture LOGIN PASSWORD 'waybill_capture'",
          "SELECT pg_create_physical_replication_slot('taken')");
      try (Engine engine = Engine.start(unfit)) {
        assertThat(engine.awaitFailure())
            .isInstanceOfSatisfying(
                SourceMisconfiguredException.class,
                failure ->
                    assertThat(failure.problems())
                        .anySatisfy(problem -> assertThat(problem).contains("wal_level"))
                        .anySatisfy(problem -> assertThat(problem).contains("REPLICATION"))
                        .anySatisfy(problem -> assertThat(problem).contains("public.outbox_event"))
                        .anySatisfy(problem -> assertThat(problem).contains("publication"))
                        .anySatisfy(
                            problem -> assertThat(problem).contains("max_replication_slots")));
      }
      assertThat(unfit.count("SELECT count(*) FROM pg_replication_slots")).isEqualTo(1);
    }
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
  void c18WithoutAPrimaryKeyTheApplicationMayStillDelete() throws SQLException {
    world.execute("ALTER TABLE outbox_event DROP CONSTRAINT outbox_event_pkey");
    try (Engine engine = streaming()) {
      world.append(event("1", "a"));
      world.awaitPublished(1);
      world.execute("UPDATE outbox_event SET event_version = 2", "DELETE FROM outbox_event");
      world.append(event("2", "a"));

      world.awaitIds("1", "2");
      engine.assertStreaming();
    }
  }

  @Test
  void c22APartitionedOutboxIsPublishedAsOne() {
    try (World partitioned = emptyWorld()) {
      partitioned.execute(
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
      partitioned.grantAndPublish();
      insert(partitioned, 1, "existing");
      try (Engine engine = Engine.start(partitioned).awaitState(EngineState.STREAMING)) {
        insert(partitioned, 2, "first");
        partitioned.execute(
            "CREATE TABLE p2 PARTITION OF outbox_event FOR VALUES FROM (100) TO (200)");
        insert(partitioned, 101, "second");
        partitioned.awaitPublished(3);
        partitioned.execute("ALTER TABLE outbox_event DETACH PARTITION p1", "DROP TABLE p1");
        insert(partitioned, 102, "third");

        partitioned.awaitIds("existing", "first", "second", "third");
        engine.assertStreaming();
      }
    }
  }

  @Test
  void c21AddedColumnsAreHarmlessBeforeAndWhileTheEngineRuns() throws SQLException {
    try (Engine engine = streaming()) {
      world.append(event("a", "1"));
      world.awaitPublished(1);
      world.execute("ALTER TABLE outbox_event ADD COLUMN x int NOT NULL DEFAULT 7");
      world.append(event("b", "1"));
      world.awaitPublished(2);
      engine.assertStreaming();
    }
    world.append(event("c", "1"));
    world.execute(
        "ALTER TABLE outbox_event DROP COLUMN x", "ALTER TABLE outbox_event ADD COLUMN y text");
    world.append(event("d", "1"));
    try (Engine engine = streaming()) {
      world.awaitIds("a", "b", "c", "d");
      engine.assertStreaming();
    }
  }

  @Test
  void c11TimesOfEventsAreThoseOfTheRowsToTheMicrosecond() {
    world.execute("ALTER TABLE outbox_event ALTER occurred_at DROP NOT NULL");
    world.execute(
        INSERT
            + "('before', 'order', '1', 'T', '{}', '2026-03-29 02:30:00.123456+00'),"
            + "('before infinity', 'order', '1', 'T', '{}', 'infinity')");
    Instant start = Instant.now();
    try (Engine engine = streaming()) {
      world.execute(
          INSERT
              + "('micros', 'order', '1', 'T', '{}', '2026-03-29 02:30:00.123456+00'),"
              + "('zone', 'order', '1', 'T', '{}', '2026-03-28 21:30:00.1-05'),"
              + "('old', 'order', '1', 'T', '{}', '1969-07-20 20:17:40+00'),"
              + "('infinity', 'order', '1', 'T', '{}', 'infinity'),"
              + "('null', 'order', '1', 'T', '{}', NULL)");

      Map<String, Published> published =
          world.awaitPublished(7).stream().collect(Collectors.toMap(Published::id, each -> each));

      assertTime(published, "before", "2026-03-29T02:30:00.123456Z");
      assertTime(published, "micros", "2026-03-29T02:30:00.123456Z");
      assertTime(published, "zone", "2026-03-29T02:30:00.1");
      assertTime(published, "old", "1969-07-20T20:17:40");
      for (String fallsBack : new String[] {"infinity", "null", "before infinity"}) {
        assertThat(Instant.parse(time(published, fallsBack)))
            .as(fallsBack)
            .isBetween(start.minusSeconds(60), Instant.now().plusSeconds(1));
      }
      assertThat(published.get("micros"))
          .isNotNull()
          .satisfies(
              record ->
                  assertThat(Instant.ofEpochMilli(record.timestamp()))
                      .as("the time of the commit")
                      .isBetween(start.minusSeconds(1), Instant.now().plusSeconds(1)));
      engine.assertStreaming();
    }
  }

  private static void assertTime(Map<String, Published> published, String id, String begins) {
    assertThat(time(published, id)).as(id).startsWith(begins).endsWith("Z");
  }

  private static String time(Map<String, Published> published, String id) {
    Published record = published.get(id);
    return record == null ? "" : String.valueOf(record.header("ce_time"));
  }

  private static void insert(World world, int id, String eventId) {
    world.execute(
        "INSERT INTO outbox_event (id, event_id, aggregate_type, aggregate_id, event_type, payload)"
            + (" VALUES (" + id + ", '" + eventId + "', 'order', '1', 'T', '{}')"));
  }

  private Engine streaming() {
    return Engine.start(world).awaitState(EngineState.STREAMING);
  }
}
