package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waybill.engine.capture.SourceConfig.Login;
import dev.waybill.servers.Database;
import dev.waybill.servers.PostgresServer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All problems of a set-up are found together, each with what mends it; nothing is changed. */
class InspectionTest {

  private static List<String> problems(Outbox outbox) {
    SourceMisconfiguredException thrown =
        catchThrowableOfType(SourceMisconfiguredException.class, () -> outbox.source().inspect());
    assertThat(thrown).as("the source is misconfigured").isNotNull();
    return thrown.problems();
  }

  @Test
  void a_database_that_is_set_up_as_documented_has_no_problem() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      SourceReport report = outbox.source().inspect();
      assertThat(report.warnings()).isEmpty();
      assertThat(report.version()).startsWith("PostgreSQL 16");
      assertThat(report.identity())
          .containsEntry("database", outbox.database().name())
          .containsKeys("system", "database_oid");
      assertThat(outbox.source().inspect().identity()).isEqualTo(report.identity());
    }
  }

  @Test
  void a_database_that_was_made_anew_is_another_one() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      String name = outbox.database().name();
      SourceReport report = outbox.source().inspect();
      Database postgres = SharedServer.get().createDatabase();
      postgres.execute("DROP DATABASE " + name + " WITH (FORCE)", "CREATE DATABASE " + name);
      outbox.install();
      assertThat(outbox.source().inspect().identity()).isNotEqualTo(report.identity());
    }
  }

  @Test
  void c49_all_problems_are_reported_together_and_nothing_is_created() throws Exception {
    try (PostgresServer server =
            PostgresServer.builder(14)
                .setting("wal_level", "replica")
                .setting("max_replication_slots", "0")
                .start();
        Outbox outbox = Outbox.create(server, Outbox.PACE)) {
      outbox.execute(
          "ALTER ROLE waybill_capture NOREPLICATION",
          "REVOKE SELECT ON outbox_event FROM waybill_capture",
          "DROP PUBLICATION " + outbox.slot(),
          "ALTER TABLE outbox_event DROP COLUMN event_type, ALTER payload TYPE xml USING NULL");
      assertThat(problems(outbox))
          .satisfiesExactlyInAnyOrder(
              problem -> assertThat(problem).contains("ALTER SYSTEM SET wal_level = 'logical'"),
              problem ->
                  assertThat(problem).contains("ALTER ROLE \"waybill_capture\" REPLICATION;"),
              problem ->
                  assertThat(problem)
                      .contains(
                          "GRANT SELECT ON \"public\".\"outbox_event\" TO \"waybill_capture\";"),
              problem ->
                  assertThat(problem).contains("no column event_type").contains("source.columns"),
              problem -> assertThat(problem).contains("column payload").contains("type xml"),
              problem ->
                  assertThat(problem)
                      .contains(
                          "CREATE PUBLICATION \""
                              + outbox.slot()
                              + "\" FOR TABLE \"public\".\"outbox_event\" WITH (publish = 'insert',"),
              problem -> assertThat(problem).contains("max_replication_slots = 1"));
      assertThat(outbox.query("SELECT pubname FROM pg_publication")).isEmpty();
    }
  }

  /** What a problem says mends it really does. */
  @Test
  void the_sql_of_a_problem_mends_it() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.execute(
          "DROP PUBLICATION " + outbox.slot(),
          "CREATE TABLE other (id int PRIMARY KEY)",
          "CREATE PUBLICATION " + outbox.slot() + " FOR TABLE other");
      List<String> problems = problems(outbox);
      assertThat(problems).hasSize(2);
      for (String problem : problems) {
        outbox.execute(problem.substring(problem.indexOf("ALTER PUBLICATION")));
      }
      assertThat(outbox.source().inspect().warnings()).isEmpty();
    }
  }

  @Test
  void a_publication_that_hides_rows_or_shows_too_many_is_a_problem() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.execute(
          "ALTER PUBLICATION " + outbox.slot() + " SET TABLE outbox_event WHERE (topic IS NULL)");
      assertThat(problems(outbox)).singleElement().asString().contains("row filter");
      outbox.execute(
          "ALTER PUBLICATION " + outbox.slot() + " SET TABLE outbox_event (id, event_id)");
      assertThat(problems(outbox)).singleElement().asString().contains("column list");
      outbox.execute(
          "DROP PUBLICATION " + outbox.slot(),
          "CREATE PUBLICATION " + outbox.slot() + " FOR ALL TABLES WITH (publish = 'insert')");
      assertThat(problems(outbox)).singleElement().asString().contains("lets all tables out");
    }
  }

  @Test
  void c22_a_partitioned_table_must_be_published_by_its_root() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.execute(
          "CREATE TABLE parted (LIKE outbox_event INCLUDING DEFAULTS, PRIMARY KEY (id))"
              + " PARTITION BY RANGE (id)",
          "CREATE TABLE parted_1 PARTITION OF parted DEFAULT",
          "DROP TABLE outbox_event",
          "ALTER TABLE parted RENAME TO outbox_event",
          "GRANT SELECT ON outbox_event TO waybill_capture",
          "ALTER PUBLICATION " + outbox.slot() + " SET TABLE outbox_event",
          "ALTER PUBLICATION " + outbox.slot() + " SET (publish_via_partition_root = false)");
      assertThat(problems(outbox))
          .singleElement()
          .asString()
          .contains("publish_via_partition_root = true");
    }
  }

  @Test
  void a_slot_of_another_database_is_not_ours() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      Database other = SharedServer.get().createDatabase();
      other.execute(
          "SELECT pg_create_logical_replication_slot('" + outbox.slot() + "', 'pgoutput')");
      assertThat(problems(outbox))
          .singleElement()
          .asString()
          .contains("belongs to database " + other.name())
          .contains("engine.name");
      assertThatThrownBy(() -> Reading.of(outbox, PostgresPosition.at(1)))
          .isInstanceOf(SourceMisconfiguredException.class);
      other.execute("SELECT pg_drop_replication_slot('" + outbox.slot() + "')");
    }
  }

  @Test
  void what_never_reaches_the_log_is_a_problem() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.execute("DROP PUBLICATION " + outbox.slot(), "ALTER TABLE outbox_event SET UNLOGGED");
      assertThat(problems(outbox)).anySatisfy(p -> assertThat(p).contains("SET LOGGED"));
      outbox.execute(
          "ALTER TABLE outbox_event RENAME TO renamed",
          "CREATE VIEW outbox_event AS SELECT * FROM renamed");
      assertThat(problems(outbox)).anySatisfy(p -> assertThat(p).contains("is no table"));
      outbox.execute("DROP VIEW outbox_event", "CREATE TABLE \"Outbox_Event\" (id int)");
      assertThat(problems(outbox)).anySatisfy(p -> assertThat(p).contains("does not exist"));
    }
  }

  @Test
  void c03_c18_c19_what_works_but_surprises_is_a_warning() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.insert("a");
      outbox.execute(
          "ALTER TABLE outbox_event DROP CONSTRAINT outbox_event_pkey",
          "ALTER TABLE outbox_event ALTER payload TYPE jsonb",
          "ALTER TABLE outbox_event ENABLE ROW LEVEL SECURITY",
          "UPDATE outbox_event SET topic = 't'",
          "SELECT pg_stat_force_next_flush()");
      assertThat(outbox.source().inspect().warnings())
          .satisfiesExactlyInAnyOrder(
              warning -> assertThat(warning).contains("no primary key"),
              warning -> assertThat(warning).contains("jsonb"),
              warning -> assertThat(warning).contains("row security"),
              warning -> assertThat(warning).contains("updated 1 times"));
    }
  }

  @Test
  void a_refused_login_is_misconfigured_and_an_absent_server_is_unavailable() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      Login login = outbox.config().login();
      assertThatThrownBy(
              () -> outbox.sourceAs(new Login(login.url(), login.user(), "wrong")).inspect())
          .isInstanceOf(SourceMisconfiguredException.class)
          .hasMessageContaining("28P01");
      assertThatThrownBy(
              () ->
                  outbox
                      .sourceAs(new Login(login.url() + "_absent", login.user(), login.password()))
                      .inspect())
          .isInstanceOf(SourceMisconfiguredException.class)
          .hasMessageContaining("3D000");
      assertThatThrownBy(
              () ->
                  outbox
                      .sourceAs(
                          new Login("jdbc:postgresql://127.0.0.1:1/db", login.user(), "secret"))
                      .inspect())
          .isInstanceOf(SourceUnavailableException.class)
          .hasMessageContaining("08001")
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void the_log_that_is_kept_is_measured() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      assertThat(outbox.source().retainedLogBytes()).isNull();
      outbox.begin();
      assertThat(outbox.source().retainedLogBytes()).isLessThan(100_000);
      outbox.execute("CREATE TABLE fill AS SELECT generate_series(1, 100000)");
      assertThat(outbox.source().retainedLogBytes()).isGreaterThan(1_000_000);
    }
  }
}
