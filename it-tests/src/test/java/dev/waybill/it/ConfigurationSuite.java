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
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What people set up wrongly or otherwise than we do: refused with the remedy, or right. */
abstract class ConfigurationSuite {

  static final String INSERT =
      "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload,"
          + " occurred_at) VALUES ";

  final World world;

  ConfigurationSuite(World world) {
    this.world = world;
  }

  /** A server on which nothing is as it should be. */
  abstract DatabaseServer unfitServer();

  /** Makes a capture user who may do nothing, and what else is in the way; no outbox. */
  abstract void spoil(World unfit);

  /** What each problem of the unfit server has to be called. */
  abstract List<String> problems();

  /** Leaves the outbox without one. */
  abstract void dropPrimaryKey();

  /** Lets rows have no time. */
  abstract void allowNoTime();

  /** Makes an outbox with one partition, for ids from 0 on and below 100. */
  abstract void createPartitioned(World empty);

  /** Adds a partition for ids below 200. */
  abstract void addPartition(World partitioned);

  /** Removes the first partition. */
  abstract void dropPartition(World partitioned);

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void c49AllProblemsAreReportedTogetherAndNothingIsCreated() {
    try (DatabaseServer server = unfitServer();
        World unfit = World.empty(server, Servers.broker())) {
      spoil(unfit);
      long before = unfit.logReaders();
      try (Engine engine = Engine.start(unfit)) {
        assertThat(engine.awaitFailure())
            .isInstanceOfSatisfying(
                SourceMisconfiguredException.class,
                failure ->
                    assertThat(problems())
                        .allSatisfy(
                            each ->
                                assertThat(failure.problems())
                                    .anySatisfy(problem -> assertThat(problem).contains(each))));
      }
      assertThat(unfit.logReaders()).isEqualTo(before);
    }
  }

  @Test
  void c18WithoutAPrimaryKeyTheApplicationMayStillDelete() throws SQLException {
    dropPrimaryKey();
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
    try (World partitioned = World.empty(world.databaseServer(), world.broker())) {
      createPartitioned(partitioned);
      partitioned.grant();
      insert(partitioned, 1, "existing");
      try (Engine engine = Engine.start(partitioned).awaitState(EngineState.STREAMING)) {
        insert(partitioned, 2, "first");
        addPartition(partitioned);
        insert(partitioned, 101, "second");
        partitioned.awaitPublished(3);
        dropPartition(partitioned);
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
    allowNoTime();
    world.execute(INSERT + "('before', 'order', '1', 'T', '{}', '2026-03-29 02:30:00.123456')");
    Instant start = Instant.now();
    try (Engine engine = streaming()) {
      world.execute(
          INSERT
              + "('micros', 'order', '1', 'T', '{}', '2026-03-29 02:30:00.123456'),"
              + "('old', 'order', '1', 'T', '{}', '1969-07-20 20:17:40'),"
              + "('null', 'order', '1', 'T', '{}', NULL)");

      Map<String, Published> published = awaitById(4);

      assertTime(published, "before", "2026-03-29T02:30:00.123456Z");
      assertTime(published, "micros", "2026-03-29T02:30:00.123456Z");
      assertTime(published, "old", "1969-07-20T20:17:40");
      assertTimeIsOfTheCommit(published, "null", start);
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

  final Map<String, Published> awaitById(int count) {
    return world.awaitPublished(count).stream()
        .collect(Collectors.toMap(Published::id, each -> each));
  }

  static void assertTimeIsOfTheCommit(Map<String, Published> published, String id, Instant start) {
    assertThat(Instant.parse(time(published, id)))
        .as(id)
        .isBetween(start.minusSeconds(60), Instant.now().plusSeconds(1));
  }

  static void assertTime(Map<String, Published> published, String id, String begins) {
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

  final Engine streaming() {
    return Engine.start(world).awaitState(EngineState.STREAMING);
  }
}
