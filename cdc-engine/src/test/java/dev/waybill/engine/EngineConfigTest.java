package dev.waybill.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waybill.engine.capture.FirstStart;
import dev.waybill.engine.capture.SourceConfig;
import dev.waybill.engine.capture.TableName;
import dev.waybill.engine.http.HttpConfig;
import dev.waybill.engine.publish.OnUnpublishable;
import dev.waybill.engine.route.HeaderFormat;
import dev.waybill.engine.settings.ConfigurationException;
import dev.waybill.wire.TopicTemplate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineConfigTest {

  private static final String LEAST =
      """
      engine: { name: shop }
      source: { url: "jdbc:postgresql://db:5432/shop", user: waybill_capture }
      publish: { kafka: { bootstrap.servers: "kafka:9092" } }
      """;

  private static EngineConfig parse(String yaml) {
    return EngineConfig.parse("waybill.yaml", yaml, Map.of());
  }

  private static List<String> problems(String yaml) {
    ConfigurationException refused =
        catchThrowableOfType(ConfigurationException.class, () -> parse(yaml));
    return refused == null ? List.of() : refused.problems();
  }

  @Test
  void hasDefaultsForAllThatIsNotRequired() {
    EngineConfig config = parse(LEAST);
    assertThat(config.name()).isEqualTo("shop");
    assertThat(config.source().login())
        .isEqualTo(new SourceConfig.Login("jdbc:postgresql://db:5432/shop", "waybill_capture", ""));
    assertThat(config.source().tables()).containsExactly(new TableName("public", "outbox_event"));
    assertThat(config.source().pace()).isEqualTo(SourceConfig.Pace.DEFAULT);
    assertThat(config.firstStart()).isEqualTo(FirstStart.Rows.EXISTING);
    assertThat(config.route().topic()).isEqualTo(TopicTemplate.DEFAULT);
    assertThat(config.route().headers()).isEqualTo(HeaderFormat.CLOUDEVENTS);
    assertThat(config.route().source()).isEqualTo("/waybill/shop");
    assertThat(config.publish().onUnpublishable()).isEqualTo(OnUnpublishable.PARK);
    assertThat(config.http()).isEqualTo(new HttpConfig(true, "127.0.0.1", 8089));
    assertThat(config.supervision().stopTimeout()).isEqualTo(Duration.ofSeconds(8));
  }

  @Test
  void takesEverythingThatCanBeSet() {
    EngineConfig config =
        parse(
            """
            engine: { name: shop }
            source:
              type: postgres
              url: jdbc:postgresql://db:5432/shop
              user: me
              password: secret
              table: [public.outbox_event, sales.outbox]
              layout: debezium
              columns: { event_id: message_id }
              first-start: now
              on-unpublishable: stop
              heartbeat: 1s
              poll-interval: 20ms
              batch-size: 100
              queue-size: 400
              queue-bytes: 1000000
              debezium: { status.update.interval.ms: 5000 }
            route: { topic: "shop.{aggregate_type}", source: /shop }
            publish:
              guarantee: at-least-once
              headers: cloudevents
              replication-factor: 3
              kafka: { bootstrap.servers: "kafka:9092", linger.ms: 1 }
            http: { enabled: false, host: 0.0.0.0, port: 80 }
            supervisor:
              back-off-first: 1s
              back-off-longest: 1m
              stop-timeout: 5s
              measure-every: 1m
            """);
    assertThat(config.source())
        .isEqualTo(
            new SourceConfig(
                SourceConfig.Type.POSTGRES,
                "shop",
                new SourceConfig.Login("jdbc:postgresql://db:5432/shop", "me", "secret"),
                List.of(new TableName("public", "outbox_event"), new TableName("sales", "outbox")),
                new SourceConfig.Columns(
                    SourceConfig.Layout.DEBEZIUM, Map.of("event_id", "message_id")),
                new SourceConfig.Pace(
                    Duration.ofSeconds(1), Duration.ofMillis(20), 100, 400, 1_000_000),
                Map.of("status.update.interval.ms", "5000")));
    assertThat(config.firstStart()).isEqualTo(FirstStart.Rows.NONE);
    assertThat(config.route().topic()).hasToString("shop.{aggregate_type}");
    assertThat(config.route().headers()).isEqualTo(HeaderFormat.CLOUDEVENTS);
    assertThat(config.route().source()).isEqualTo("/shop");
    assertThat(config.publish().replicationFactor()).isEqualTo((short) 3);
    assertThat(config.publish().onUnpublishable()).isEqualTo(OnUnpublishable.STOP);
    assertThat(config.publish().kafka())
        .isEqualTo(Map.of("bootstrap.servers", "kafka:9092", "linger.ms", "1"));
    assertThat(config.http()).isEqualTo(new HttpConfig(false, "0.0.0.0", 80));
    assertThat(config.supervision())
        .isEqualTo(
            new EngineConfig.Supervision(
                new BackOff(Duration.ofSeconds(1), Duration.ofMinutes(1)),
                Duration.ofSeconds(5),
                Duration.ofMinutes(1)));
  }

  @Test
  void takesMySql() {
    EngineConfig config =
        parse(
            """
            engine: { name: shop }
            source:
              type: mysql
              url: jdbc:mysql://db/shop?sslMode=REQUIRED
              user: waybill_capture
              server-id: 4294967295
            publish: { kafka: { bootstrap.servers: "kafka:9092" } }
            """);
    assertThat(config.source().type()).isEqualTo(SourceConfig.Type.MYSQL);
    assertThat(config.source().login().serverId()).isEqualTo(4_294_967_295L);
    assertThat(config.source().tables()).containsExactly(new TableName("shop", "outbox_event"));
  }

  @Test
  void setsTopicAndHeadersOfTheLayout() {
    EngineConfig config = parse(LEAST + "source.layout: debezium");
    assertThat(config.route().topic()).isEqualTo(TopicTemplate.DEBEZIUM);
    assertThat(config.route().headers()).isEqualTo(HeaderFormat.DEBEZIUM);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "publish.guarantee: exactly-once | publish.guarantee | exactly-once comes with a later version",
        "publish.guarantee: maybe | publish.guarantee | expected at-least-once",
        "source.type: mysql | source.url | jdbc:mysql://host:3306/database",
        "source.type: oracle | source.type | expected mysql or postgres",
        "source.server-id: 7 | source.server-id | known to MySQL alone",
        "source.server-id: 0 | source.server-id | from 1 to 4294967295",
        "source.on-unpublishable: park-aggregate | source.on-unpublishable | use park or stop",
        "source.on-unpublishable: skip | source.on-unpublishable | expected park or stop",
        "source.layout: native | source.layout | expected debezium or waybill",
        "source.table: outbox_event | source.table | public.outbox_event",
        "source.queue-size: 100 | source.queue-size | 2048",
        "source.columns: { event: x } | source.columns.event | event_id",
        "source.debezium: { slot.name: x } | slot.name | ",
        "route.topic: 'a b' | route.topic | U+0020",
        "route.topic: '{type}' | route.topic | {aggregate_type}",
        "publish.kafka.acks: 0 | publish.kafka.acks | would lose events",
        "publish.kafka.linger.ms: soon | publish.kafka | linger.ms",
        "publish.replication-factor: 0 | publish.replication-factor | from 1 to 100",
        "supervisor.back-off-first: 1m | supervisor.back-off-longest | shorter than",
      })
  void refusesWhatWouldNotWork(String line, String key, String reason) {
    assertThat(problems(LEAST + line))
        .singleElement()
        .asString()
        .contains(key)
        .contains(reason == null ? "" : reason);
  }

  @ParameterizedTest
  @CsvSource({"Shop", "shop-1", "sh op", "ä", "abcdefghijabcdefghijabcdefghijabcdefghij1"})
  void refusesNamesThatCannotNameASlotAndATopic(String name) {
    assertThat(problems(LEAST.replace("name: shop", "name: " + name)))
        .singleElement()
        .asString()
        .contains("engine.name", name, "1 to 40 of a-z, 0-9 and _");
  }

  @Test
  void reportsWhatIsWrongInEverySectionTogether() {
    assertThat(
            problems(
                """
                engine: { name: shop }
                source: { url: "jdbc:mysql://db/shop", user: me, heartbeat: often }
                publish: { kafka: { acks: 1 }, header: x }
                http: { port: 99999 }
                """))
        .hasSize(6)
        .anyMatch(problem -> problem.contains("source.url"))
        .anyMatch(problem -> problem.contains("source.heartbeat"))
        .anyMatch(problem -> problem.contains("publish.kafka.acks"))
        .anyMatch(problem -> problem.contains("publish.kafka.bootstrap.servers"))
        .anyMatch(problem -> problem.contains("publish.header "))
        .anyMatch(problem -> problem.contains("http.port"));
  }

  @Test
  void readsTheExampleOfTheDistribution() {
    EngineConfig config =
        EngineConfig.read(
            Path.of("..", "waybill-cli", "src", "main", "assembly", "waybill.example.yaml"),
            Map.of("DB_PASSWORD", "a$b"));
    assertThat(config.source().login().password()).isEqualTo("a$b");
  }

  @Test
  void namesAFileThatCannotBeRead() {
    assertThatThrownBy(() -> EngineConfig.read(Path.of("/no/such/file"), Map.of()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("/no/such/file");
  }
}
