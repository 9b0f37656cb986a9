package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineState;
import dev.waybill.engine.publish.UnpublishableException;
import dev.waybill.event.OutboxEvent;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.Published;
import dev.waybill.it.world.Topics;
import dev.waybill.it.world.World;
import dev.waybill.wire.ParkedHeaders;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** G6: what cannot be published is set aside with its reason, and the others flow. */
abstract class ParkSuite {

  private static final String INSERT =
      "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload, topic,"
          + " headers) VALUES ";

  final World world;

  ParkSuite(World world) {
    this.world = world;
  }

  /** Takes the table's checks away. */
  abstract void allowAnyAggregateId();

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void c24IllegalTopicsAreParkedAndNeverRewritten() {
    world.with("route.topic", "{aggregate_type}");
    String order = world.prefix() + "order";
    String upper = world.prefix() + "Order";
    try (Engine engine = streaming();
        Topics parked = world.parked()) {
      world.execute(
          INSERT
              + "('blank', 'Dont care', '1', 'T', '{}', NULL, NULL),"
              + "('slash', 'a/b', '1', 'T', '{}', NULL, NULL),"
              + "('umlaut', 'ü', '1', 'T', '{}', NULL, NULL),"
              + "('dot', '.', '1', 'T', '{}', NULL, NULL),"
              + "('dots', '..', '1', 'T', '{}', NULL, NULL),"
              + "('override', 'order', '1', 'T', '{}', 'not legal', NULL),"
              + ("('lower', '" + order + "', '1', 'T', '{}', NULL, NULL),")
              + ("('upper', '" + upper + "', '1', 'T', '{}', NULL, NULL)"));

      world.awaitPublished(2);
      Map<String, Published> byId = awaitParked(parked, 6);

      assertThat(world.topics().read())
          .extracting(Published::topic)
          .containsExactlyInAnyOrder(order, upper);
      assertThat(byId).containsOnlyKeys("blank", "slash", "umlaut", "dot", "dots", "override");
      assertThat(byId.values())
          .allSatisfy(
              record -> {
                assertThat(record.header(ParkedHeaders.REASON)).isNotBlank();
                assertThat(record.header(ParkedHeaders.ROW_ID)).isNotBlank();
                assertThat(record.header(ParkedHeaders.TABLE)).isEqualTo(world.table());
                assertThat(record.keyText()).isEqualTo("1");
                assertThat(record.text()).isEqualTo("{}");
              });
      engine.assertStreaming();
    }
  }

  @Test
  void reservedHeadersAreParked() {
    try (Engine engine = streaming();
        Topics parked = world.parked()) {
      world.execute(
          INSERT
              + "('1', 'order', '1', 'T', '{}', NULL, '{\"ce_id\":\"forged\"}'),"
              + "('2', 'order', '1', 'T', '{}', NULL, '{\"content-type\":\"text/plain\"}'),"
              + "('3', 'order', '1', 'T', '{}', NULL, '{\"tenant\":\"mine\"}')");

      world.awaitIds("3");
      Map<String, Published> byId = awaitParked(parked, 2);

      assertThat(byId).containsOnlyKeys("1", "2");
      assertThat(world.topics().read().get(0).header("tenant")).isEqualTo("mine");
      engine.assertStreaming();
    }
  }

  @Test
  void c08AnEmptyKeyIsParkedAndOneKeyStaysOnOnePartition() throws SQLException {
    allowAnyAggregateId();
    try (Engine engine = streaming();
        Topics parked = world.parked()) {
      for (int i = 0; i < 30; i++) {
        world.append(event("a" + i, "A"));
      }
      world.execute(
          INSERT
              + "('empty', 'order', '', 'T', '{}', NULL, NULL),"
              + "('null', 'order', NULL, 'T', '{}', NULL, NULL)");

      List<Published> published = world.awaitPublished(30);
      Map<String, Published> byId = awaitParked(parked, 2);

      assertThat(published).hasSize(30);
      assertThat(published.stream().map(Published::partition).distinct()).hasSize(1);
      assertThat(byId).containsOnlyKeys("empty", "null");
      assertThat(byId.values())
          .allSatisfy(record -> assertThat(record.keyText()).isNotEqualTo("null"));
      engine.assertStreaming();
    }
  }

  @Test
  void c13AnOversizeEventIsParkedWhileOthersFlow() throws SQLException {
    try (Engine engine = streaming();
        Topics parked = world.parked()) {
      world.append(event("1", "a"), large("large", 1_100_000), event("2", "a"));
      world.append(large("just fits", 1_000_000), event("3", "a"));

      world.awaitIds("1", "2", "just fits", "3");
      Published record = awaitParked(parked, 1).get("large");

      assertThat(record).isNotNull();
      assertThat(record.value()).isNull();
      assertThat(record.header(ParkedHeaders.VALUE_LEFT_OUT)).isEqualTo("1100000");
      assertThat(record.header(ParkedHeaders.REASON)).contains("1048588");
      assertThat(world.query("SELECT count(*) FROM outbox_event WHERE event_id = 'large'"))
          .isEqualTo("1");
      engine.assertStreaming();
    }
  }

  @Test
  void c13StopHaltsAtTheRowAndGoesOnOnceTheLimitIsRaised() throws Exception {
    world.with("source.on-unpublishable", "stop");
    try (Engine engine = streaming()) {
      world.append(event("1", "a"), large("large", 1_100_000), event("2", "a"));

      assertThat(engine.awaitFailure())
          .isInstanceOf(UnpublishableException.class)
          .hasMessageContaining("large")
          .hasMessageContaining(world.prefix() + "order")
          .hasMessageContaining("1048588");
    }
    assertThat(world.publishedIds().stream().distinct()).containsExactly("1");
    raiseLimit(world.prefix() + "order");
    try (Engine engine = streaming()) {
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .pollInSameThread()
          .untilAsserted(
              () ->
                  assertThat(world.publishedIds().stream().distinct())
                      .containsExactly("1", "large", "2"));
      engine.assertStreaming();
    }
  }

  /** JSON of that many bytes which does not compress to less than half. */
  private static OutboxEvent large(String id, int bytes) {
    RandomGenerator random = new SplittableRandom(3);
    StringBuilder json = new StringBuilder(bytes).append('"');
    while (json.length() < bytes - 1) {
      json.append((char) ('0' + random.nextInt('Z' - '0')));
    }
    return OutboxEvent.builder("order", "a", "OrderChanged")
        .eventId(id)
        .json(json.append('"').toString().replace('\\', '/'))
        .build();
  }

  private void raiseLimit(String topic) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp raise =
        new AlterConfigOp(
            new ConfigEntry("max.message.bytes", "5000000"), AlterConfigOp.OpType.SET);
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", world.broker().bootstrapServers()))) {
      admin.incrementalAlterConfigs(Map.of(resource, List.of(raise))).all().get();
    }
  }

  private static Map<String, Published> awaitParked(Topics parked, int count) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollInSameThread()
        .until(() -> parked.read().size() >= count);
    Map<String, Published> byId = new HashMap<>();
    for (Published record : parked.read()) {
      byId.put(String.valueOf(record.header(ParkedHeaders.EVENT_ID)), record);
    }
    return byId;
  }

  private Engine streaming() {
    return Engine.start(world).awaitState(EngineState.STREAMING);
  }
}
