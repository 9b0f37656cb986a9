package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.OutboxEvent;
import dev.waybill.it.world.Distribution;
import dev.waybill.it.world.Distribution.Ended;
import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;
import dev.waybill.outbox.Dialect;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What the engine lacks is found before anything is made, named together, each with the SQL that
 * mends it; and what {@code waybill schema} prints is all it needs.
 */
abstract class PreflightSuite {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Pattern REMEDY = Pattern.compile("(ALTER|CREATE|GRANT) [^;]+;");

  private final Distribution waybill = Distribution.assembled();
  private final int version;

  PreflightSuite(int version) {
    this.version = version;
  }

  @Test
  void c49AllThatIsMissingIsReportedTogetherAndMendedByTheReport() throws SQLException {
    try (DatabaseServer server =
            PostgresServer.builder(version)
                .setting("wal_level", "replica")
                .setting("max_replication_slots", "1")
                .start();
        World world = World.empty(server, Servers.broker())) {
      world.execute(
          SchemaSql.outbox(Dialect.POSTGRESQL),
          "CREATE ROLE poor LOGIN PASSWORD 'poor'",
          "SELECT pg_create_physical_replication_slot('somebody_elses')");
      world.with("source.user", "poor").with("source.password", "poor");
      String file = world.configurationFile().toString();

      Ended doctor = waybill.run("doctor", "-c", file);
      Ended run = waybill.run("run", "-c", file);

      assertThat(doctor.exitCode()).as(doctor.text()).isEqualTo(1);
      assertThat(run.exitCode()).as(run.text()).isEqualTo(2);
      for (Ended each : List.of(doctor, run)) {
        assertThat(each.text())
            .contains("wal_level is 'replica'")
            .contains("user poor may not replicate")
            .contains("user poor may not read table public.outbox_event")
            .contains("publication waybill_" + world.engine() + " does not exist")
            .contains("all 1 replication slots are in use")
            .doesNotContain("Exception", "\tat ");
      }
      assertThat(doctor.findings("problem")).hasSize(5);
      assertNothingWasMade(world);

      for (String remedy : remedies(doctor)) {
        world.execute(remedy);
      }
      server.stop();
      server.start();

      Ended healed = waybill.run("doctor", "-c", file);
      assertThat(healed.exitCode()).as(healed.text()).isZero();
      assertStreamsAndStops(world, file);
    }
  }

  @Test
  void c49TheUsersAndThePublicationThatSchemaPrintsAreAllThatIsNeeded() throws SQLException {
    try (World world = World.empty(Servers.postgres(version), Servers.broker())) {
      Ended schema = waybill.run("schema", "--engine", world.engine());
      assertThat(schema.exitCode()).isZero();
      world.execute(
          schema.text(),
          "ALTER ROLE waybill_capture PASSWORD 'waybill_capture'",
          "DROP ROLE IF EXISTS shop_application",
          "CREATE ROLE shop_application LOGIN PASSWORD 'secret' IN ROLE waybill_writer");
      String file = world.configurationFile().toString();

      Ended doctor = waybill.run("doctor", "-c", file);

      assertThat(doctor.exitCode()).as(doctor.text()).isZero();
      assertThat(doctor.findings("problem")).isEmpty();
      assertThat(doctor.findings("warning")).isEmpty();
      appendAs("shop_application", "secret", world, event("by-the-application", "a"));
      try (ChildJvm engine = streaming(file)) {
        appendAs("shop_application", "secret", world, event("while-streaming", "a"));
        world.awaitIds("by-the-application", "while-streaming");

        engine.terminate();
        assertThat(engine.awaitExit(PATIENCE)).as(engine.tail()).isZero();
      }
      world.execute("DROP ROLE shop_application");
    }
  }

  private static List<String> remedies(Ended doctor) {
    return REMEDY
        .matcher(String.join("\n", doctor.findings("problem")))
        .results()
        .map(found -> found.group())
        .toList();
  }

  private static void assertNothingWasMade(World world) {
    assertThat(world.query("SELECT string_agg(slot_name, ',') FROM pg_replication_slots"))
        .isEqualTo("somebody_elses");
    assertThat(world.count("SELECT count(*) FROM pg_publication")).isZero();
  }

  private void assertStreamsAndStops(World world, String file) throws SQLException {
    try (ChildJvm engine = streaming(file)) {
      world.append(event("1", "a"));
      world.awaitIds("1");

      engine.terminate();
      assertThat(engine.awaitExit(PATIENCE)).as(engine.tail()).isZero();
    }
  }

  private ChildJvm streaming(String file) {
    ChildJvm engine = waybill.start("run", "-c", file);
    engine.awaitLine(line -> line.endsWith(" is streaming"), PATIENCE);
    return engine;
  }

  private static void appendAs(String user, String password, World world, OutboxEvent event)
      throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(world.database().jdbcUrl(), user, password)) {
      connection.setAutoCommit(false);
      Outbox.postgresql().append(connection, event);
      connection.commit();
    }
  }
}
