package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waybill.engine.capture.SourceConfig.Columns;
import dev.waybill.engine.capture.SourceConfig.Layout;
import dev.waybill.engine.capture.SourceConfig.Login;
import dev.waybill.servers.MySqlServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** All problems of a set-up are found together, each with what mends it; nothing is changed. */
class MySqlInspectionTest {

  private static SourceMisconfiguredException refusal(Source source) {
    SourceMisconfiguredException thrown =
        catchThrowableOfType(SourceMisconfiguredException.class, source::inspect);
    assertThat(thrown).as("the source is misconfigured").isNotNull();
    return thrown;
  }

  private static List<String> problems(Outbox outbox) {
    return refusal(outbox.source()).problems();
  }

  @Test
  void a_database_that_is_set_up_as_documented_has_no_problem() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      SourceReport report = outbox.source().inspect();
      assertThat(report.warnings()).isEmpty();
      assertThat(report.version()).isEqualTo("MySQL 8.0.31");
      assertThat(report.heldLog()).isNull();
      assertThat(report.identity()).isEqualTo(outbox.source().identity()).isNotEmpty();
    }
  }

  @Test
  void c49_all_problems_of_a_server_are_reported_together() throws Exception {
    try (MySqlServer server =
            MySqlServer.builder()
                .setting("binlog_format", "MIXED")
                .setting("binlog_row_image", "MINIMAL")
                .setting("gtid_mode", "OFF")
                .setting("enforce_gtid_consistency", "WARN")
                .setting("binlog_ignore_db", "db_1")
                .setting("log_replica_updates", "OFF")
                .setting("binlog_expire_logs_seconds", "3600")
                .start();
        Outbox outbox = Outbox.create(server, Outbox.PACE)) {
      assertThat(outbox.database().name()).isEqualTo("db_1");
      SourceMisconfiguredException refusal = refusal(outbox.source());
      assertThat(refusal.problems())
          .satisfiesExactlyInAnyOrder(
              problem -> assertThat(problem).contains("SET PERSIST binlog_format = 'ROW'"),
              problem -> assertThat(problem).contains("SET PERSIST binlog_row_image = 'FULL'"),
              problem -> assertThat(problem).contains("gtid_mode is 'OFF'"),
              problem -> assertThat(problem).contains("SET PERSIST enforce_gtid_consistency = ON"),
              problem -> assertThat(problem).contains("binlog-ignore-db").contains("db_1"),
              problem -> assertThat(problem).contains("log_replica_updates"));
      assertThat(refusal.withholding())
          .as("what lets rows be committed that the log never shows")
          .hasSize(5)
          .noneMatch(problem -> problem.contains("log_replica_updates"));
    }
  }

  @Test
  void a_server_without_a_log_is_refused_and_so_is_a_short_one_of_it() throws Exception {
    try (MySqlServer server = MySqlServer.builder().setting("skip_log_bin", "").start();
        Outbox outbox = Outbox.create(server, Outbox.PACE)) {
      assertThat(problems(outbox)).singleElement().asString().contains("log_bin is OFF");
    }
    try (Outbox outbox = Outbox.mysql()) {
      outbox.execute("SET GLOBAL binlog_expire_logs_seconds = 3600");
      try {
        assertThat(outbox.source().inspect().warnings())
            .singleElement()
            .asString()
            .contains("3600 s")
            .contains("binlog_expire_logs_seconds");
      } finally {
        outbox.execute("SET GLOBAL binlog_expire_logs_seconds = DEFAULT");
      }
    }
  }

  /** What a problem says mends it really does. */
  @Test
  void the_sql_of_missing_privileges_mends_them() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      outbox.execute("CREATE USER nobody IDENTIFIED BY 'nobody'", "GRANT USAGE ON *.* TO nobody");
      outbox.execute("GRANT INSERT ON outbox_event TO nobody");
      try {
        Source source =
            outbox.sourceAs(new Login(outbox.config().login().url(), "nobody", "nobody"));
        List<String> problems = refusal(source).problems();
        assertThat(problems)
            .satisfiesExactlyInAnyOrder(
                problem -> assertThat(problem).contains("GRANT REPLICATION CLIENT"),
                problem -> assertThat(problem).contains("GRANT REPLICATION SLAVE"),
                problem -> assertThat(problem).contains("GRANT SELECT"));
        for (String problem : problems) {
          outbox.execute(problem.substring(problem.indexOf("GRANT")));
        }
        assertThat(source.inspect().warnings()).isEmpty();
      } finally {
        outbox.execute("DROP USER nobody");
      }
    }
  }

  @Test
  void a_table_that_the_user_may_not_see_is_no_table_that_is_missing() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      outbox.execute("CREATE TABLE hidden LIKE outbox_event");
      Source source = outbox.sourceOf(new TableName(outbox.database().name(), "hidden"));
      String problem = refusal(source).problems().get(0);
      assertThat(problem).contains("does not exist, or user");
      outbox.execute(problem.substring(problem.indexOf("GRANT SELECT")));
      assertThat(source.inspect().warnings()).isEmpty();
    }
  }

  @Test
  void what_the_log_cannot_show_in_time_and_order_is_a_problem() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      outbox.execute(
          "ALTER TABLE outbox_event ENGINE = MyISAM",
          "ALTER TABLE outbox_event DROP COLUMN event_type, MODIFY payload POINT");
      assertThat(problems(outbox))
          .satisfiesExactlyInAnyOrder(
              problem -> assertThat(problem).contains("MyISAM").contains("ENGINE = InnoDB;"),
              problem ->
                  assertThat(problem).contains("no column event_type").contains("source.columns"),
              problem -> assertThat(problem).contains("column payload").contains("type point"));
      outbox.execute(
          "RENAME TABLE outbox_event TO renamed",
          "CREATE VIEW outbox_event AS SELECT * FROM renamed");
      assertThat(problems(outbox)).singleElement().asString().contains("is no table");
    }
  }

  /** Where lower_case_table_names is not 0, a table is found under a name that it does not have. */
  @Test
  void names_are_those_of_the_server() {
    TableName name = new TableName("shop", "outbox_event");
    List<String> problems = new ArrayList<>();
    new MySqlTable(name, "InnoDB", Map.of(), Set.of(), null)
        .inspect(
            new TableName("shop", "Outbox_Event"),
            Columns.of(Layout.NATIVE),
            "user",
            problems,
            new ArrayList<>());
    assertThat(problems).singleElement().asString().contains("is called shop.outbox_event");
  }

  @Test
  void c22_a_partitioned_table_is_as_good_as_another() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      outbox.execute(
          "ALTER TABLE outbox_event DROP INDEX event_id",
          "ALTER TABLE outbox_event PARTITION BY HASH (id) PARTITIONS 4");
      assertThat(outbox.source().inspect().warnings()).isEmpty();
    }
  }

  @Test
  void c03_c04_what_works_but_surprises_is_a_warning() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      outbox.execute(
          "ALTER TABLE outbox_event MODIFY id BIGINT UNSIGNED NOT NULL, DROP PRIMARY KEY,"
              + " MODIFY payload JSON,"
              + " MODIFY event_id VARCHAR(64) COLLATE utf8mb4_0900_ai_ci NOT NULL");
      assertThat(outbox.source().inspect().warnings())
          .satisfiesExactlyInAnyOrder(
              warning -> assertThat(warning).contains("neither primary key nor unique"),
              warning -> assertThat(warning).contains("abc and ABC").contains("event_id"),
              warning -> assertThat(warning).contains("is json"));
    }
  }

  @Test
  void a_server_id_that_is_taken_is_a_problem() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      Login login = outbox.config().login();
      long taken = Long.parseLong(outbox.query("SELECT @@server_id").get(0));
      Source source =
          outbox.sourceAs(new Login(login.url(), login.user(), login.password(), taken));
      assertThat(refusal(source).problems())
          .singleElement()
          .asString()
          .contains("server id " + taken)
          .contains("source.server-id");
    }
  }

  @Test
  void a_refused_login_is_misconfigured_and_an_absent_server_is_unavailable() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      Login login = outbox.config().login();
      assertThatThrownBy(
              () -> outbox.sourceAs(new Login(login.url(), login.user(), "wrong")).inspect())
          .isInstanceOf(SourceMisconfiguredException.class)
          .hasMessageContaining("error 1045");
      assertThatThrownBy(
              () ->
                  outbox
                      .sourceAs(new Login(login.url() + "_no", login.user(), login.password()))
                      .inspect())
          .isInstanceOf(SourceMisconfiguredException.class)
          .hasMessageContaining("error 1044");
      assertThatThrownBy(
              () ->
                  outbox
                      .sourceAs(new Login("jdbc:mysql://127.0.0.1:1/db", login.user(), "secret"))
                      .inspect())
          .isInstanceOf(SourceUnavailableException.class)
          .hasMessageContaining("08S01")
          .hasMessageNotContaining("secret");
    }
  }

  /** A server that does not know the login yet wants the password, and that not in the clear. */
  @Test
  void without_tls_the_password_is_sent_if_the_servers_key_may_be_fetched() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      Login login = outbox.config().login();
      String url = login.url() + "?sslMode=DISABLED";
      assertThatThrownBy(
              () -> outbox.sourceAs(new Login(url, login.user(), login.password())).inspect())
          .isInstanceOf(SourceMisconfiguredException.class)
          .hasMessageContaining("allowPublicKeyRetrieval=true");
      Login allowed =
          new Login(url + "&allowPublicKeyRetrieval=true", login.user(), login.password());
      assertThat(outbox.sourceAs(allowed).inspect().warnings()).isEmpty();
    }
  }
}
