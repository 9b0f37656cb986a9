package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.engine.capture.SourceConfig.Columns;
import dev.waybill.engine.capture.SourceConfig.Layout;
import dev.waybill.engine.capture.SourceConfig.Login;
import dev.waybill.engine.capture.SourceConfig.Pace;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SourceConfigTest {

  private static final Login LOGIN =
      new Login("jdbc:postgresql://db:5433/shop?sslmode=require&options=-c%20x=1", "u", "secret");
  private static final TableName TABLE = TableName.parse("public.outbox_event");

  private static SourceConfig with(Map<String, String> debezium) {
    return new SourceConfig(
        SourceConfig.Type.POSTGRES,
        "shop",
        LOGIN,
        List.of(TABLE),
        Columns.of(Layout.NATIVE),
        Pace.DEFAULT,
        debezium);
  }

  @Test
  void the_defaults_have_no_problem() {
    assertThat(SourceConfig.postgres("shop", LOGIN, TABLE).problems()).isEmpty();
  }

  @Test
  void all_problems_are_named_together_and_open_refuses() {
    SourceConfig config =
        new SourceConfig(
            SourceConfig.Type.POSTGRES,
            "Shop!",
            new Login("jdbc:mysql://db/shop", "u", "secret"),
            List.of(),
            new Columns(Layout.NATIVE, Map.of("payloads", "p")),
            new Pace(Duration.ZERO, Duration.ZERO, 0, 0, -1),
            Map.of("slot.name", "other"));
    assertThat(config.problems())
        .satisfiesExactly(
            problem -> assertThat(problem).startsWith("engine.name"),
            problem -> assertThat(problem).startsWith("source.table"),
            problem -> assertThat(problem).startsWith("source.url"),
            problem -> assertThat(problem).startsWith("source.columns.payloads"),
            problem -> assertThat(problem).startsWith("source.heartbeat"),
            problem -> assertThat(problem).startsWith("source.poll-interval"),
            problem -> assertThat(problem).startsWith("source.batch-size"),
            problem -> assertThat(problem).startsWith("source.queue-size"),
            problem -> assertThat(problem).startsWith("source.queue-bytes"),
            problem -> assertThat(problem).startsWith("source.debezium.slot.name"));
    assertThatThrownBy(() -> Source.open(config, Clock.systemUTC()))
        .isInstanceOf(SourceMisconfiguredException.class);
  }

  @Test
  void more_than_one_host_is_refused() {
    SourceConfig config =
        SourceConfig.postgres("shop", new Login("jdbc:postgresql://a,b/shop", "u", "p"), TABLE);
    assertThat(config.problems()).singleElement().asString().contains("one host");
  }

  @Test
  void a_password_in_the_url_is_refused_since_the_url_is_printed() {
    String url = "jdbc:postgresql://db/shop?user=me&password=secret&sslmode=require";
    assertThat(SourceConfig.postgres("shop", new Login(url, "u", "p"), TABLE).problems())
        .satisfiesExactly(
            problem -> assertThat(problem).startsWith("source.url").contains("source.user"),
            problem -> assertThat(problem).startsWith("source.url").contains("source.password"))
        .noneMatch(problem -> problem.contains("secret"));
  }

  private static List<String> mySqlProblems(String url) {
    return SourceConfig.mysql("shop", new Login(url, "u", "p"), TABLE).problems();
  }

  @Test
  void a_url_of_mysql_is_taken_apart() {
    MySqlUrl url =
        MySqlUrl.of(
            "jdbc:mysql://[::1]/my%20shop?sslMode=VERIFY_CA&trustCertificateKeyStoreUrl=file:/ca.p12"
                + "&trustCertificateKeyStorePassword=a%26b&allowPublicKeyRetrieval=true");
    assertThat(url.host()).isEqualTo("[::1]");
    assertThat(url.port()).isEqualTo("3306");
    assertThat(url.database()).isEqualTo("my shop");
    assertThat(url.debeziumProperties())
        .containsOnly(
            Map.entry("database.ssl.mode", "verify_ca"),
            Map.entry("database.ssl.truststore", "/ca.p12"),
            Map.entry("database.ssl.truststore.password", "a&b"),
            Map.entry("driver.allowPublicKeyRetrieval", "true"));
    assertThat(MySqlUrl.of("jdbc:mysql://db:3307/shop"))
        .isEqualTo(new MySqlUrl("db", "3307", "shop", Map.of()));
  }

  @Test
  void a_url_of_mysql_that_would_not_do_is_refused() {
    for (String url :
        List.of(
            "jdbc:mysql://db:3306",
            "jdbc:mysql://db:3306/",
            "jdbc:mysql://u:secret@db/shop",
            "jdbc:mysql:replication://db/shop",
            "jdbc:mysql://address=(host=db)/shop",
            "jdbc:postgresql://db/shop")) {
      assertThat(mySqlProblems(url))
          .as(url)
          .singleElement()
          .asString()
          .startsWith("source.url must look like jdbc:mysql://")
          .doesNotContain("secret");
    }
    assertThat(mySqlProblems("jdbc:mysql://a:1,b/shop"))
        .singleElement()
        .asString()
        .contains("one host");
    assertThat(
            mySqlProblems(
                "jdbc:mysql://db/shop?user=me&password=secret&useSSL=false&sslMode=YES"
                    + "&trustCertificateKeyStoreUrl=https://ca"))
        .satisfiesExactly(
            problem -> assertThat(problem).contains("source.user"),
            problem -> assertThat(problem).contains("source.password"),
            problem -> assertThat(problem).contains("useSSL"),
            problem -> assertThat(problem).contains("sslMode=YES"),
            problem -> assertThat(problem).contains("trustCertificateKeyStoreUrl"))
        .noneMatch(problem -> problem.contains("secret"));
  }

  @Test
  void the_server_id_follows_from_the_name_and_is_none_that_people_choose() {
    SourceConfig shop = SourceConfig.mysql("shop", LOGIN, TABLE);
    assertThat(MySqlNames.of(shop).serverId())
        .isEqualTo(MySqlNames.of(shop).serverId())
        .isBetween(2_147_483_648L, 4_294_967_295L)
        .isNotEqualTo(MySqlNames.of(SourceConfig.mysql("shop2", LOGIN, TABLE)).serverId());
    Login chosen = new Login(LOGIN.url(), "u", "p", 7L);
    assertThat(MySqlNames.of(SourceConfig.mysql("shop", chosen, TABLE)).serverId()).isEqualTo(7);
  }

  /** Each of these lost rows, or hid a gap, when it was tried. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "errors.max.retries",
        "offset.storage",
        "offset.flush.interval.ms",
        "offset.mismatch.strategy",
        "snapshot.mode",
        "provide.transaction.metadata",
        "publication.autocreate.mode",
        "lsn.flush.mode",
        "flush.lsn.source",
        "heartbeat.action.query",
        "table.include.list",
        "skipped.operations",
        "skip.messages.without.change",
        "transforms",
        "event.converting.failure.handling.mode",
        "slot.drop.on.stop",
        "retriable.restart.connector.wait.ms",
        "database.initial.statements"
      })
  void what_safety_rests_on_cannot_be_set(String key) {
    assertThat(with(Map.of(key, "x")).problems())
        .singleElement()
        .asString()
        .startsWith("source.debezium." + key + " ");
  }

  @Test
  void other_properties_and_parameters_of_the_url_reach_debezium() {
    SourceConfig config = with(Map.of("status.update.interval.ms", "5000"));
    assertThat(config.problems()).isEmpty();
    Properties properties = PostgresProperties.of(config);
    assertThat(properties)
        .containsEntry("status.update.interval.ms", "5000")
        .containsEntry("database.hostname", "db")
        .containsEntry("database.port", "5433")
        .containsEntry("database.dbname", "shop")
        .containsEntry("database.sslmode", "require")
        .containsEntry("driver.options", "-c x=1");
  }

  /** Everything that is set by us is reserved, so that the two lists cannot drift apart. */
  @Test
  void whatever_capture_sets_cannot_be_set_by_others() {
    for (String key : PostgresProperties.of(with(Map.of())).stringPropertyNames()) {
      if (!key.startsWith("driver.") && !key.startsWith("database.ssl")) {
        assertThat(with(Map.of(key, "x")).problems()).as(key).hasSize(1);
      }
    }
  }

  @Test
  void table_names_are_quoted_for_debezium() {
    SourceConfig config =
        SourceConfig.postgres("shop", LOGIN, new TableName("my.schema", "Out,box $1"));
    assertThat(PostgresProperties.of(config))
        .containsEntry("table.include.list", "my\\.schema\\.Out\\,box\\ \\$1");
  }

  @Test
  void a_table_name_needs_its_schema() {
    assertThat(TableName.parse("a.b.c")).isEqualTo(new TableName("a", "b.c"));
    assertThatThrownBy(() -> TableName.parse("outbox_event"))
        .hasMessageContaining("public.outbox_event");
    assertThatThrownBy(() -> TableName.parse(".x")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void the_password_is_not_printed() {
    String key = "jdbc:postgresql://db/shop?sslpassword=secret";
    assertThat(new Login(key, "u", "p")).hasToString("u@jdbc:postgresql://db/shop");
    Login within = new Login("jdbc:postgresql://u:secret@db/shop", "u", "p");
    assertThat(SourceConfig.postgres("shop", within, TABLE).problems())
        .singleElement()
        .asString()
        .startsWith("source.url must look like")
        .doesNotContain("secret");
    assertThat(SourceConfig.postgres("shop", LOGIN, TABLE).toString()).doesNotContain("secret");
  }
}
