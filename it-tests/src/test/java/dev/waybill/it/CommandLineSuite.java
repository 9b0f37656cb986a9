package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.OutboxEvent;
import dev.waybill.it.world.Distribution;
import dev.waybill.it.world.Distribution.Ended;
import dev.waybill.it.world.World;
import dev.waybill.servers.ChildJvm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The distribution as an operator and a process supervisor see it: what it says, when it waits and
 * what it ends with. G7 and the exit codes.
 */
abstract class CommandLineSuite {

  static final Duration PATIENCE = Duration.ofMinutes(1);

  /** From SIGTERM to the end of the process, as promised. */
  static final Duration STOP = Duration.ofSeconds(10);

  final Distribution waybill = Distribution.assembled();
  final World world;

  CommandLineSuite(World world) {
    this.world = world;
    world
        .with("publish.kafka.max.block.ms", "2000")
        .with("publish.kafka.request.timeout.ms", "2000")
        .with("publish.kafka.delivery.timeout.ms", "4000")
        .with("supervisor.back-off-first", "100ms")
        .with("supervisor.back-off-longest", "500ms");
  }

  /** The vendor's code for a password that is wrong. */
  abstract String refusedLogin();

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void endsWith2AndAllThatIsWrongInTheConfiguration() {
    world
        .with("engine.name", "Shop")
        .with("source.pasword", "secret-word")
        .with("source.heartbeat", "soon")
        .with("source.table", null)
        .with("source.tabel", "outbox_event")
        .with("publish.kafka.acks", "1");
    for (String command : List.of("run", "doctor")) {
      Ended ended = waybill.run(command, "-c", world.configurationFile().toString());

      assertThat(ended.exitCode()).as(ended.text()).isEqualTo(2);
      assertThat(ended.lines())
          .anyMatch(line -> line.contains("engine.name") && line.contains("Shop"))
          .anyMatch(line -> line.contains("source.pasword") && line.contains("source.password"))
          .anyMatch(line -> line.contains("source.heartbeat") && line.contains("soon"))
          .anyMatch(line -> line.contains("source.tabel") && line.contains("source.table"))
          .anyMatch(line -> line.contains("publish.kafka.acks"));
      assertThat(ended.text()).doesNotContain("secret-word", "Exception", "\tat ");
    }
  }

  @Test
  void takesTheEnvironmentAndSecretsFromFiles(@TempDir Path folder) throws Exception {
    Path secret = Files.writeString(folder.resolve("password"), "waybill_capture\n");
    world
        .with("source.password", "${file:" + secret + "}")
        .with("source.user", "${CAPTURE_USER}")
        .with("publish.kafka.bootstrap.servers", "nobody:1");
    Map<String, String> environment =
        Map.of(
            "CAPTURE_USER",
            "waybill_capture",
            "WAYBILL_PUBLISH_KAFKA_BOOTSTRAP_SERVERS",
            world.broker().bootstrapServers());

    Ended doctor =
        waybill.run(environment, "doctor", "--json", "-c", world.configurationFile().toString());

    assertThat(doctor.exitCode()).as(doctor.text()).isZero();
    assertThat(doctor.text()).startsWith("{\"findings\":[").contains("\"kind\":\"fine\"");
  }

  @Test
  void appliesTheSchemaAsAnotherUserThanTheEngines() {
    String password = world.database().password();
    Map<String, String> environment = Map.of("PGPASSWORD", password, "MYSQL_PWD", password);
    String[] apply = {
      "schema",
      "roles",
      "consumer",
      "--apply",
      "-c",
      world.configurationFile().toString(),
      "--user",
      world.database().user()
    };

    Ended applied = waybill.run(environment, apply);

    assertThat(applied.exitCode()).as(applied.text()).isZero();
    assertThat(applied.text()).contains("Applied in " + world.database().jdbcUrl());
    assertThat(world.count("SELECT count(*) FROM consumed_event, aggregate_version")).isZero();

    Ended again = waybill.run(environment, apply);

    assertThat(again.exitCode()).as(again.text()).isEqualTo(2);
    assertThat(again.text()).contains("consumed_event").doesNotContain("\tat ");
  }

  @Test
  void doctorEndsWith3WhenAServerIsAwayAndNamesBoth() {
    world
        .with("source.url", world.vendor().jdbcUrl("127.0.0.1:1", "shop"))
        .with("publish.kafka.bootstrap.servers", "127.0.0.1:1");

    Ended doctor = waybill.run("doctor", "-c", world.configurationFile().toString());

    assertThat(doctor.exitCode()).as(doctor.text()).isEqualTo(3);
    assertThat(doctor.findings("unreachable"))
        .hasSize(2)
        .anyMatch(line -> line.contains("source") && line.contains("127.0.0.1:1"))
        .anyMatch(line -> line.contains("broker") && line.contains("127.0.0.1:1"));
  }

  @Test
  void aWrongPasswordIsNamedAndNotWaitedFor() {
    world.with("source.password", "wrong-secret");

    Ended doctor = waybill.run("doctor", "-c", world.configurationFile().toString());
    Ended run = waybill.run("run", "-c", world.configurationFile().toString());

    assertThat(doctor.exitCode()).as(doctor.text()).isEqualTo(1);
    assertThat(run.exitCode()).as(run.text()).isEqualTo(2);
    for (Ended ended : List.of(doctor, run)) {
      assertThat(ended.text())
          .contains(refusedLogin(), "source.password")
          .doesNotContain("wrong-secret");
    }
  }

  @Test
  void c26WaitsForABrokerThatIsAwayAndStopsOnSigtermAllTheSame() throws SQLException {
    world.with("publish.kafka.bootstrap.servers", "127.0.0.1:1").append(event("1", "a"));
    try (ChildJvm engine = run()) {
      awaitState(engine, "waiting-for-broker");

      engine.terminate();

      assertThat(engine.awaitExit(STOP)).as(engine.tail()).isZero();
      assertThat(linesWith(engine, "waiting-for-broker")).hasSize(1);
    }
    assertThat(world.logReaders())
        .as("what holds log back, though nothing could be published")
        .isZero();
  }

  /** As a broker does that was frozen or is behind a firewall that drops packets. */
  @Test
  void c26StopsOnSigtermWhileTheBrokerTakesConnectionsAndNeverAnswers() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      world.with("publish.kafka.bootstrap.servers", "127.0.0.1:" + silent.getLocalPort());
      try (ChildJvm engine = run()) {
        awaitState(engine, "waiting-for-broker");

        engine.terminate();

        assertThat(engine.awaitExit(STOP)).as(engine.tail()).isZero();
      }
    }
  }

  @Test
  void c29WaitsForADatabaseThatIsAwayAndStopsOnSigtermAllTheSame() {
    world.with("source.url", world.vendor().jdbcUrl("127.0.0.1:1", "shop"));
    try (ChildJvm engine = run()) {
      awaitState(engine, "waiting-for-source");

      engine.terminate();

      assertThat(engine.awaitExit(STOP)).as(engine.tail()).isZero();
      assertThat(linesWith(engine, "waiting-for-source")).hasSize(1);
    }
  }

  @Test
  void c13StopsWith1BeforeAnOversizeEventAndGoesOnWhenTheLimitIsRaised() throws Exception {
    String topic = world.topics().create("order", 1);
    world.with("source.on-unpublishable", "stop");
    world.append(event("small", "a"), large("large"), event("behind", "a"));
    try (ChildJvm engine = run()) {
      assertThat(engine.awaitExit(PATIENCE)).as(engine.tail()).isEqualTo(1);
      assertThat(engine.tail())
          .contains("large", topic, "1048588")
          .containsPattern("record of 1\\d{6} bytes");
    }
    world.awaitIds("small");

    raiseLimit(topic);
    try (ChildJvm engine = run()) {
      awaitState(engine, "streaming");
      world.awaitPublished(3);
      assertThat(world.publishedIds().stream().distinct())
          .containsExactly("small", "large", "behind");
    }
  }

  /** One is needed at once, the other for the first record. */
  @ParameterizedTest
  @ValueSource(strings = {"kafka-clients", "lz4-java"})
  void c28EndsWith5WhenTheInstallationLacksAClass(String jar, @TempDir Path folder) {
    Distribution broken = waybill.without(jar, folder);

    Ended run = broken.run("run", "-c", world.configurationFile().toString());

    assertThat(run.exitCode()).as(run.text()).isEqualTo(5);
    assertThat(run.text()).contains("NoClassDefFoundError");
  }

  @Test
  void endsWith2WhenThePortForHealthIsTaken() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      world.with("http.port", Integer.toString(taken.getLocalPort()));

      Ended run = waybill.run("run", "-c", world.configurationFile().toString());

      assertThat(run.exitCode()).as(run.text()).isEqualTo(2);
      assertThat(run.text()).contains(Integer.toString(taken.getLocalPort()), "http.port");
    }
  }

  final void publishOne(String id) throws SQLException {
    world.append(event(id, "a"));
    try (ChildJvm engine = run()) {
      awaitState(engine, "streaming");
      world.awaitIds(id);
      engine.terminate();
      assertThat(engine.awaitExit(PATIENCE)).as(engine.tail()).isZero();
    }
  }

  /** Both commands end with 4, say what is missing, and what may be done. */
  final void assertGap(String found) {
    for (String command : List.of("doctor", "run")) {
      Ended ended = onceAllIsReachable(command);

      assertThat(ended.exitCode()).as(ended.text()).isEqualTo(4);
      assertThat(ended.text()).contains(found).contains("start again").doesNotContain("\tat ");
    }
    assertThat(world.publishedIds()).containsExactly("before");
  }

  /**
   * A broker that has little of a busy machine may answer too late for a command that asks once.
   */
  private Ended onceAllIsReachable(String command) {
    return Awaitility.await()
        .atMost(PATIENCE)
        .pollInSameThread()
        .until(
            () -> waybill.run(command, "-c", world.configurationFile().toString()),
            ended -> ended.exitCode() != 3);
  }

  final void assertStartsAnewWith(String... ids) {
    try (ChildJvm engine = run()) {
      awaitState(engine, "streaming");
      world.awaitIds(ids);
    }
  }

  final void deleteProgress() throws Exception {
    try (Admin admin = admin()) {
      admin.deleteTopics(Set.of("waybill." + world.engine() + ".progress")).all().get();
    }
  }

  private void raiseLimit(String topic) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    ConfigEntry raised = new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "4000000");
    AlterConfigOp set = new AlterConfigOp(raised, AlterConfigOp.OpType.SET);
    try (Admin admin = admin()) {
      admin.incrementalAlterConfigs(Map.of(resource, List.of(set))).all().get();
    }
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", world.broker().bootstrapServers()));
  }

  private static OutboxEvent large(String id) {
    StringBuilder text = new StringBuilder("{\"t\":\"");
    new SplittableRandom(1).ints(1_100_000, 'a', 'z').forEach(c -> text.append((char) c));
    return OutboxEvent.builder("order", "a", "OrderChanged")
        .eventId(id)
        .json(text.append("\"}").toString())
        .build();
  }

  ChildJvm run() {
    return waybill.start("run", "-c", world.configurationFile().toString());
  }

  void awaitState(ChildJvm engine, String state) {
    String words = "Engine " + world.engine() + " is " + state;
    engine.awaitLine(line -> line.contains(words), PATIENCE);
  }

  private static List<String> linesWith(ChildJvm engine, String text) {
    return engine.lines().stream().filter(line -> line.contains(text)).toList();
  }
}
