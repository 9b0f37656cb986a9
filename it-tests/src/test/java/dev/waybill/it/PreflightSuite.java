package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.OutboxEvent;
import dev.waybill.it.world.Distribution;
import dev.waybill.it.world.Distribution.Ended;
import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.DatabaseServer;
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
  private static final Pattern REMEDY = Pattern.compile("(ALTER|CREATE|GRANT|SET PERSIST) [^;]+;");

  private final Distribution waybill = Distribution.assembled();

  /** A server that is not set up for what an engine needs. */
  abstract DatabaseServer unfitServer();

  /** The server that the tests share. */
  abstract DatabaseServer sharedServer();

  /** Makes user {@code poor} with that password and no rights, and what else is in the way. */
  abstract void spoil(World unfit);

  /** What is said of each problem of the unfit server. */
  abstract String[] problems(World unfit);

  /** Nothing is there beside what {@link #spoil} made. */
  abstract void assertNothingWasMade(World unfit);

  /** What {@code waybill schema} is asked for a database of this kind. */
  abstract String[] schema(String engine);

  /** Gives the capture user its password and makes user {@code shop_application}, a writer. */
  abstract void createUsers(World world);

  @Test
  void c49AllThatIsMissingIsReportedTogetherAndMendedByTheReport() throws SQLException {
    try (DatabaseServer server = unfitServer();
        World world = World.empty(server, Servers.broker())) {
      world.executeScript(SchemaSql.outbox(world.vendor().dialect()));
      spoil(world);
      world.with("source.user", "poor").with("source.password", "poor");
      String file = world.configurationFile().toString();

      Ended doctor = waybill.run("doctor", "-c", file);
      Ended run = waybill.run("run", "-c", file);

      assertThat(doctor.exitCode()).as(doctor.text()).isEqualTo(1);
      assertThat(run.exitCode()).as(run.text()).isEqualTo(2);
      for (Ended each : List.of(doctor, run)) {
        assertThat(each.text()).contains(problems(world)).doesNotContain("Exception", "\tat ");
      }
      assertThat(doctor.findings("problem")).hasSize(problems(world).length);
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
  void c49WhatSchemaPrintsIsAllThatIsNeeded() throws SQLException {
    try (World world = World.empty(sharedServer(), Servers.broker())) {
      Ended schema = waybill.run(schema(world.engine()));
      assertThat(schema.exitCode()).isZero();
      world.executeScript(schema.text());
      createUsers(world);
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
      world.execute("DROP USER shop_application");
    }
  }

  private static List<String> remedies(Ended doctor) {
    return REMEDY
        .matcher(String.join("\n", doctor.findings("problem")))
        .results()
        .map(found -> found.group())
        .toList();
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
      world.outbox().append(connection, event);
      connection.commit();
    }
  }
}
