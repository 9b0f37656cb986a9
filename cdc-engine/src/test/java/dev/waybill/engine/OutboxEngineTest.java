package dev.waybill.engine;

import static dev.waybill.engine.EngineState.FAILED;
import static dev.waybill.engine.EngineState.RECOVERING;
import static dev.waybill.engine.EngineState.STARTING;
import static dev.waybill.engine.EngineState.STOPPED;
import static dev.waybill.engine.EngineState.STREAMING;
import static dev.waybill.engine.EngineState.WAITING_FOR_BROKER;
import static dev.waybill.engine.EngineState.WAITING_FOR_SOURCE;
import static dev.waybill.engine.EngineWorld.append;
import static dev.waybill.engine.EngineWorld.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.waybill.engine.EngineListener.Point;
import dev.waybill.engine.capture.Change;
import dev.waybill.engine.capture.GapException;
import dev.waybill.engine.capture.Source;
import dev.waybill.engine.capture.SourceMisconfiguredException;
import dev.waybill.engine.publish.ProgressUnreadableException;
import dev.waybill.engine.publish.UnpublishableException;
import dev.waybill.engine.settings.ConfigurationException;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.servers.Database;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One engine between a real database and a real broker, through everything but a dead JVM. */
class OutboxEngineTest {

  private static final EngineWorld WORLD = EngineWorld.start();
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String name = EngineWorld.newName();
  private final String type = name;
  private final String topic = "events." + type;
  private Database database = new Database("", "", "", "");

  @BeforeEach
  void makeOutboxAndTopic() throws Exception {
    database = WORLD.newOutbox();
    WORLD.createTopic(topic);
  }

  /** Dropping the slot fails if anybody still reads from it. */
  @AfterEach
  void leavesNeitherAThreadNorAReaderBehind() throws SQLException {
    Predicate<String> ours = Pattern.compile(name + "(?![0-9])").asPredicate();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(ours));
    database.execute(
        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
            + " WHERE slot_name = 'waybill_"
            + name
            + "'");
  }

  @AfterAll
  static void closeWorld() {
    WORLD.close();
  }

  private OutboxEngine engine(String... more) {
    return engine(EngineListener.NONE, more);
  }

  private OutboxEngine engine(EngineListener listener, String... more) {
    return OutboxEngine.builder(WORLD.config(name, database, more)).listener(listener).build();
  }

  private static double restarts(OutboxEngine engine) throws Exception {
    return WORLD
        .get(engine, "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("waybill_restarts_total"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  private static void awaitState(OutboxEngine engine, EngineState state) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(engine.status().state()).isEqualTo(state));
  }

  /** Each id once in order; repetitions, which a failure may cause, left out. */
  private void awaitPublished(List<String> ids) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(new LinkedHashSet<>(WORLD.publishedIds(topic)))
                    .containsExactlyElementsOf(ids));
  }

  private void awaitPublishedOnce(List<String> ids) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(WORLD.publishedIds(topic)).containsExactlyElementsOf(ids));
  }

  private static List<String> concat(List<String> first, List<String> second) {
    List<String> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  @Test
  void publishesWhatWasThereAndWhatComes() throws Exception {
    append(database, type, ids("a", 3));
    try (OutboxEngine engine = engine()) {
      engine.start();
      awaitState(engine, STREAMING);
      append(database, type, ids("b", 3));
      awaitPublishedOnce(concat(ids("a", 3), ids("b", 3)));
    }
  }

  @Test
  void leavesOutWhatWasThereIfToldTo() throws Exception {
    append(database, type, ids("a", 3));
    try (OutboxEngine engine = engine("source.first-start: now")) {
      engine.start();
      awaitState(engine, STREAMING);
      append(database, type, ids("b", 3));
      awaitPublishedOnce(ids("b", 3));
    }
  }

  @Test
  void goesOnWhereTheLastOneStopped() throws Exception {
    for (String each : List.of("a", "b", "c")) {
      append(database, type, List.of(each));
      try (OutboxEngine engine = engine()) {
        engine.start();
        await().atMost(PATIENCE).until(() -> WORLD.publishedIds(topic).contains(each));
      }
    }
    assertThat(WORLD.publishedIds(topic)).containsExactly("a", "b", "c");
  }

  @Test
  void waitsForABrokerAndShowsIt() throws Exception {
    append(database, type, ids("a", 3));
    WORLD.broker().stop();
    try (EngineLog log = EngineLog.listen();
        OutboxEngine engine = engine()) {
      engine.start();
      awaitState(engine, WAITING_FOR_BROKER);
      HttpResponse<String> ready = WORLD.get(engine, "/health/ready");
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(ready.body()).contains("\"waiting-for-broker\"", "\"engine\":\"" + name + "\"");
      assertThat(WORLD.get(engine, "/health/live").statusCode()).isEqualTo(200);
      WORLD.broker().start();
      awaitState(engine, STREAMING);
      assertThat(WORLD.get(engine, "/health/ready").statusCode()).isEqualTo(200);
      awaitPublishedOnce(ids("a", 3));
      assertThat(log.linesWith("is waiting-for-broker")).hasSize(1);
    } finally {
      WORLD.broker().start();
    }
  }

  @Test
  void waitsForADatabase() throws Exception {
    append(database, type, ids("a", 3));
    WORLD.postgres().stop();
    try (EngineLog log = EngineLog.listen();
        OutboxEngine engine = engine()) {
      engine.start();
      awaitState(engine, WAITING_FOR_SOURCE);
      WORLD.postgres().start();
      awaitState(engine, STREAMING);
      awaitPublishedOnce(ids("a", 3));
      assertThat(log.linesWith("is waiting-for-source")).hasSize(1);
    } finally {
      WORLD.postgres().start();
    }
  }

  @Test
  void logsOnceWhyItStillWaits() throws Exception {
    String role = "capture_" + name;
    database.execute("CREATE ROLE " + role + " LOGIN SUPERUSER PASSWORD 'before'");
    Database asRole = new Database(database.name(), database.jdbcUrl(), role, "before");
    try (EngineLog log = EngineLog.listen();
        OutboxEngine engine = OutboxEngine.builder(WORLD.config(name, asRole)).build()) {
      engine.start();
      awaitState(engine, STREAMING);
      database.execute("ALTER ROLE " + role + " PASSWORD 'after'");
      WORLD.postgres().stop();
      awaitState(engine, WAITING_FOR_SOURCE);
      WORLD.postgres().start();
      await().atMost(PATIENCE).until(() -> engine.status().reason().contains("28P01"));
      double attempts = restarts(engine);
      await().atMost(PATIENCE).until(() -> restarts(engine) >= attempts + 5);
      assertThat(log.linesWith("is waiting-for-source: ")).hasSize(1);
      assertThat(log.linesWith("28P01"))
          .singleElement()
          .asString()
          .contains("waiting-for-source: ");

      database.execute("ALTER ROLE " + role + " PASSWORD 'before'");
      awaitState(engine, STREAMING);
    } finally {
      WORLD.postgres().start();
    }
  }

  @Test
  void survivesADatabaseThatIsKilled() throws Exception {
    try (OutboxEngine engine = engine()) {
      engine.start();
      append(database, type, ids("a", 3));
      awaitPublished(ids("a", 3));
      WORLD.postgres().kill();
      await().atMost(PATIENCE).until(() -> engine.status().state() != STREAMING);
      WORLD.postgres().start();
      append(database, type, ids("b", 3));
      awaitPublished(concat(ids("a", 3), ids("b", 3)));
      awaitState(engine, STREAMING);
    } finally {
      WORLD.postgres().start();
    }
  }

  @Test
  void survivesABrokerThatIsKilled() throws Exception {
    try (OutboxEngine engine = engine()) {
      engine.start();
      append(database, type, ids("a", 3));
      awaitPublished(ids("a", 3));
      WORLD.broker().kill();
      append(database, type, ids("b", 3));
      awaitState(engine, WAITING_FOR_BROKER);
      WORLD.broker().start();
      awaitPublished(concat(ids("a", 3), ids("b", 3)));
      awaitState(engine, STREAMING);
    } finally {
      WORLD.broker().start();
    }
  }

  @Test
  void namesAMissingTopicAndGoesOnWhenItExists() throws Exception {
    String missing = name + ".missing";
    try (EngineLog log = EngineLog.listen();
        OutboxEngine engine = engine()) {
      engine.start();
      append(database, type, ids("a", 1));
      database.execute(
          "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, topic)"
              + " VALUES ('lost', 'x', 'one', 'Happened', '%s')".formatted(missing));
      append(database, type, ids("b", 1));
      awaitState(engine, WAITING_FOR_BROKER);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(WORLD.get(engine, "/health/ready").body()).contains(missing, "lost"));
      WORLD.createTopic(missing);
      awaitPublished(List.of("a0", "b0"));
      assertThat(WORLD.publishedIds(missing)).containsExactly("lost");
      awaitState(engine, STREAMING);
      assertThat(log.linesWith("is waiting-for-broker")).hasSize(1);
    }
  }

  /**
   * What a listener throws is a failure of ours at that point: an attempt ends, the next begins.
   */
  @ParameterizedTest
  @EnumSource(Point.class)
  void losesNothingWhereverItFails(Point point) throws Exception {
    append(database, type, ids("a", 5));
    AtomicBoolean failed = new AtomicBoolean();
    Set<EngineState> seen = EnumSet.noneOf(EngineState.class);
    EngineListener failing =
        new EngineListener() {
          @Override
          public void reached(Point reached) {
            if (reached == point && failed.compareAndSet(false, true)) {
              throw new IllegalStateException("made to fail at " + point);
            }
          }

          @Override
          public void stateChanged(EngineStatus before, EngineStatus after) {
            seen.add(after.state());
          }
        };
    try (OutboxEngine engine = engine(failing)) {
      engine.start();
      append(database, type, ids("b", 5));
      awaitPublished(concat(ids("a", 5), ids("b", 5)));
      await().atMost(PATIENCE).until(failed::get);
      awaitState(engine, STREAMING);
      append(database, type, ids("c", 5));
      awaitPublished(concat(concat(ids("a", 5), ids("b", 5)), ids("c", 5)));
      assertThat(seen).contains(RECOVERING);
    }
  }

  @Test
  void tellsItsListenerWhatItReachesInOrder() throws Exception {
    ConcurrentLinkedQueue<Point> points = new ConcurrentLinkedQueue<>();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void reached(Point point) {
            points.add(point);
          }
        };
    append(database, type, ids("a", 1));
    try (OutboxEngine engine = engine(listener)) {
      engine.start();
      awaitState(engine, STREAMING);
      assertThat(points)
          .startsWith(
              Point.FIRST_START_RECORDED,
              Point.FIRST_START_OPENED,
              Point.SENT,
              Point.PUBLISHED,
              Point.PROGRESS_STORED);
      points.clear();
      append(database, type, ids("b", 1));
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(points)
                      .containsSubsequence(
                          Point.SENT,
                          Point.PUBLISHED,
                          Point.PROGRESS_STORED,
                          Point.ACKNOWLEDGING,
                          Point.ACKNOWLEDGED));
    }
  }

  private void awaitFailure(OutboxEngine engine, Class<? extends Throwable> failure, String... text)
      throws InterruptedException {
    assertThat(engine.awaitEnd(PATIENCE)).isTrue();
    assertThat(engine.status().state()).isEqualTo(FAILED);
    assertThat(engine.failure()).get().isInstanceOf(failure);
    assertThat(engine.status().reason()).contains(text);
  }

  private void runOnce() throws Exception {
    append(database, type, ids("a", 1));
    try (OutboxEngine engine = engine()) {
      engine.start();
      awaitPublished(ids("a", 1));
    }
  }

  @Test
  void stopsAtAGapWhenTheSlotIsGone() throws Exception {
    runOnce();
    database.execute("SELECT pg_drop_replication_slot('waybill_" + name + "')");
    append(database, type, List.of("gap"));
    try (OutboxEngine engine = engine()) {
      engine.start();
      awaitFailure(engine, GapException.class, "slot waybill_" + name, "does not exist");
      HttpResponse<String> live = WORLD.get(engine, "/health/live");
      assertThat(live.statusCode()).isEqualTo(503);
      assertThat(live.body()).contains("\"failed\"", "does not exist");
    }
    assertThat(WORLD.publishedIds(topic)).containsExactly("a0");
  }

  /** As in a rolling deployment, and under load: the slot moves while progress is read. */
  @Test
  void takesOverFromAnEngineAtWork() throws Exception {
    try (OutboxEngine next = engine();
        BusyWriter writer = BusyWriter.start(database, type)) {
      try (OutboxEngine former = engine()) {
        former.start();
        awaitState(former, STREAMING);
        next.start();
        await()
            .atMost(PATIENCE)
            .until(() -> Set.of(STREAMING, FAILED).contains(next.status().state()));
        assertThat(former.failure()).isEmpty();
      }
      awaitState(next, STREAMING);
      awaitPublishedInAnyOrder(writer.stop());
      assertThat(next.failure()).isEmpty();
    }
  }

  private void awaitPublishedInAnyOrder(List<String> ids) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(new LinkedHashSet<>(WORLD.publishedIds(topic))).containsAll(ids));
  }

  @Test
  void stopsAtAGapWhenProgressIsGoneButTheSlotIsNot() throws Exception {
    runOnce();
    WORLD.deleteTopic("waybill." + name + ".progress");
    try (OutboxEngine engine = engine()) {
      engine.start();
      awaitFailure(engine, GapException.class, "no progress record", "slot waybill_" + name);
    }
  }

  @Test
  void stopsAtAGapWhenTheDatabaseIsAnotherOne() throws Exception {
    runOnce();
    Database former = database;
    database = WORLD.newOutbox();
    try (OutboxEngine engine = engine()) {
      engine.start();
      awaitFailure(engine, GapException.class, "another database", former.name(), database.name());
    } finally {
      former.execute("SELECT pg_drop_replication_slot('waybill_" + name + "')");
    }
  }

  @Test
  void stopsAtAPositionThatCannotBeReadAndSoDoesTheDoctor() throws Exception {
    runOnce();
    WORLD.send("waybill." + name + ".progress", progressAt("nonsense"));
    try (OutboxEngine engine = engine()) {
      engine.start();
      awaitFailure(engine, ProgressUnreadableException.class, "position", "waybill." + name);
    }
    assertThat(Doctor.examine(WORLD.config(name, database)).findings())
        .filteredOn(finding -> finding.kind() == Diagnosis.Kind.PROBLEM)
        .singleElement()
        .satisfies(finding -> assertThat(finding.text()).contains("waybill." + name));
  }

  private String progressAt(String lsn) {
    String identity =
        Source.open(WORLD.config(name, database).source(), Clock.systemUTC())
            .inspect()
            .identity()
            .entrySet()
            .stream()
            .map(member -> "\"%s\":\"%s\"".formatted(member.getKey(), member.getValue()))
            .collect(Collectors.joining(","));
    return "{\"version\":1,\"phase\":\"streaming\",\"identity\":{%s},\"position\":{\"lsn\":\"%s\"}}"
        .formatted(identity, lsn);
  }

  @Test
  void stopsAtOnceWhenTheSourceIsSetUpWrongly() throws Exception {
    try (OutboxEngine engine = engine("source.table: public.nowhere")) {
      engine.start();
      awaitFailure(engine, SourceMisconfiguredException.class, "public.nowhere");
    }
    assertThat(slots()).isZero();
  }

  private int slots() throws SQLException {
    try (var connection = database.connect();
        var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT count(*) FROM pg_replication_slots")) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void doesNotSayThatItStreamsBeforeTheLogIsRead() throws Exception {
    List<EngineState> states = new CopyOnWriteArrayList<>();
    EngineListener recording =
        new EngineListener() {
          @Override
          public void stateChanged(EngineStatus before, EngineStatus after) {
            states.add(after.state());
          }
        };
    try (OutboxEngine engine = engine(recording, "source.debezium.database.sslmode: nonsense")) {
      engine.start();
      awaitState(engine, WAITING_FOR_SOURCE);
    }
    assertThat(states).contains(WAITING_FOR_SOURCE).doesNotContain(STREAMING);
  }

  @Test
  void waitsWhenTheSourceBecomesWrongLater() throws Exception {
    try (OutboxEngine engine = engine()) {
      engine.start();
      append(database, type, ids("a", 1));
      awaitPublished(ids("a", 1));
      awaitState(engine, STREAMING);
      database.execute(
          "ALTER TABLE outbox_event RENAME TO elsewhere",
          "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots"
              + " WHERE slot_name = 'waybill_%s'".formatted(name));
      awaitState(engine, WAITING_FOR_SOURCE);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(engine.status().reason()).contains("public.outbox_event"));
      database.execute("ALTER TABLE elsewhere RENAME TO outbox_event");
      append(database, type, ids("b", 1));
      awaitPublished(List.of("a0", "b0"));
      awaitState(engine, STREAMING);
    }
  }

  /** The publication follows the old table; nothing else would tell. */
  @Test
  void stopsAtAGapWhenTheTableIsReplacedWhileItStreams() throws Exception {
    withhold(
        "ALTER TABLE outbox_event RENAME TO former",
        "CREATE TABLE outbox_event (LIKE former INCLUDING ALL)");
  }

  /** As {@link #stopsAtAGapWhenTheTableIsReplacedWhileItStreams}, and nobody has seen it happen. */
  @Test
  void stopsAtAGapWhenTheTableWasReplacedInOneGo() throws Exception {
    withhold(
        """
        BEGIN; ALTER TABLE outbox_event RENAME TO former;
        CREATE TABLE outbox_event (LIKE former INCLUDING ALL);
        ALTER PUBLICATION waybill_%s SET TABLE outbox_event; COMMIT
        """
            .formatted(name));
  }

  @Test
  void stopsAtAGapWhenThePublicationIsNarrowedWhileItStreams() throws Exception {
    withhold(
        "ALTER PUBLICATION waybill_%s SET TABLE outbox_event WHERE (event_id <> 'hidden')"
            .formatted(name));
  }

  @Test
  void stopsAtAGapWhenThePublicationIsGoneWhileItStreams() throws Exception {
    withhold("DROP PUBLICATION waybill_" + name);
  }

  private void withhold(String... statements) throws Exception {
    try (OutboxEngine engine = engine()) {
      engine.start();
      append(database, type, ids("a", 1));
      awaitPublished(ids("a", 1));
      database.execute(statements);
      awaitFailure(engine, GapException.class, "waybill." + name + ".progress");
    }
  }

  /** The slot lies before the new publication: nothing in between was let into the log. */
  @Test
  void stopsAtAGapWhenThePublicationWasMadeAnewMeanwhile() throws Exception {
    runOnce();
    database.execute("DROP PUBLICATION waybill_" + name);
    append(database, type, List.of("gap"));
    database.execute(SchemaSql.publication(name));
    try (OutboxEngine engine = engine()) {
      engine.start();
      awaitFailure(engine, GapException.class, "made anew", "slot waybill_" + name);
    }
    assertThat(WORLD.publishedIds(topic)).containsExactly("a0");
  }

  @Test
  void goesOnWhenOnlyOthersChangeInThePublication() throws Exception {
    runOnce();
    database.execute(
        "ALTER TABLE outbox_event ADD COLUMN note text",
        "ALTER PUBLICATION waybill_%s SET TABLE outbox_event".formatted(name),
        "ALTER PUBLICATION waybill_%s SET (publish = 'insert')".formatted(name));
    try (OutboxEngine engine = engine()) {
      engine.start();
      append(database, type, ids("b", 1));
      awaitPublishedOnce(List.of("a0", "b0"));
    }
  }

  @Test
  void parksWhatCannotBePublishedAndCountsIt() throws Exception {
    ConcurrentLinkedQueue<String> parked = new ConcurrentLinkedQueue<>();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void parked(Change change, String reason) {
            parked.add(change.row().eventId() + ": " + reason);
          }
        };
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (OutboxEngine engine =
        OutboxEngine.builder(WORLD.config(name, database))
            .listener(listener)
            .meters(registry)
            .build()) {
      engine.start();
      append(database, "no topic", List.of("bad"));
      append(database, type, ids("a", 3));
      awaitPublished(ids("a", 3));
      assertThat(parked).singleElement().asString().startsWith("bad: ").contains("no topic");
      String tag = "{engine=\"" + name + "\"}";
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(WORLD.get(engine, "/metrics").body().lines())
                      .contains(
                          "waybill_events_published_total" + tag + " 3.0",
                          "waybill_events_parked_total" + tag + " 1.0",
                          "waybill_delay_seconds_count" + tag + " 3",
                          "waybill_publish_failures_total" + tag + " 0.0",
                          "waybill_restarts_total" + tag + " 0.0",
                          "waybill_state{engine=\"" + name + "\",state=\"streaming\"} 1.0",
                          "waybill_state{engine=\"" + name + "\",state=\"failed\"} 0.0")
                      .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{")));
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(WORLD.get(engine, "/metrics").body())
                      .containsPattern("waybill_source_retained_log_bytes\\{[^}]*} \\d"));
      assertThat(registry.get("waybill.events.published").counter().count()).isEqualTo(3);
    }
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void stopsAtWhatCannotBePublishedIfToldTo() throws Exception {
    try (OutboxEngine engine = engine("source.on-unpublishable: stop")) {
      engine.start();
      awaitState(engine, STREAMING);
      append(database, type, ids("a", 1));
      append(database, "no topic", List.of("bad"));
      append(database, type, ids("b", 1));
      awaitFailure(engine, UnpublishableException.class, "bad");
    }
    assertThat(WORLD.publishedIds(topic)).containsExactly("a0");
  }

  @Test
  void failsForGoodOnAnError() throws Exception {
    EngineListener listener =
        new EngineListener() {
          @Override
          public void reached(Point point) {
            throw new LinkageError("no such class");
          }
        };
    try (OutboxEngine engine = engine(listener)) {
      engine.start();
      awaitFailure(engine, LinkageError.class, "no such class");
    }
  }

  @Test
  void stopsWhileItsPublishingThreadHangs() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    EngineListener listener =
        new EngineListener() {
          @Override
          public void reached(Point point) {
            if (point == Point.ACKNOWLEDGING) {
              hanging.countDown();
              awaitForEver();
            }
          }
        };
    OutboxEngine engine = engine(listener);
    engine.start();
    append(database, type, ids("a", 1));
    assertThat(hanging.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    engine.close();
    assertThat(engine.status().state()).isEqualTo(STOPPED);
    assertThat(engine.failure()).isEmpty();
  }

  private static void awaitForEver() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Test
  void stopsWhileItWaits() {
    WORLD.broker().stop();
    try {
      OutboxEngine engine = engine();
      engine.start();
      awaitState(engine, WAITING_FOR_BROKER);
      engine.close();
      assertThat(engine.status().state()).isEqualTo(STOPPED);
    } finally {
      WORLD.broker().start();
    }
  }

  @Test
  void namesTheAddressThatItCannotServeOn() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        OutboxEngine engine =
            OutboxEngine.builder(WORLD.config(name, database, taken.getLocalPort())).build()) {
      assertThatExceptionOfType(ConfigurationException.class)
          .isThrownBy(engine::start)
          .withMessageContainingAll("http.port", String.valueOf(taken.getLocalPort()));
    }
  }

  @Test
  void isStartedOnceAndClosedAnyNumberOfTimes() {
    OutboxEngine neverStarted = engine();
    neverStarted.close();
    assertThat(neverStarted.status().state()).isEqualTo(STOPPED);
    assertThatIllegalStateException().isThrownBy(neverStarted::start);

    OutboxEngine engine = engine();
    engine.start();
    assertThatIllegalStateException().isThrownBy(engine::start);
    assertThat(engine.status().state()).isIn(STARTING, EngineState.FIRST_START, STREAMING);
    engine.close();
    engine.close();
    assertThat(engine.status().state()).isEqualTo(STOPPED);
    assertThat(engine.failure()).isEmpty();
  }
}
