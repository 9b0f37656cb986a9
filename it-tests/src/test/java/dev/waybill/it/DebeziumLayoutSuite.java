package dev.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineState;
import dev.waybill.it.service.Effects;
import dev.waybill.it.service.ServiceProcess;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.Published;
import dev.waybill.it.world.Topics;
import dev.waybill.it.world.World;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Users of Debezium's outbox event router switch without touching an application or a consumer:
 * their table, its topics, its headers.
 */
abstract class DebeziumLayoutSuite {

  final World world;
  private final String type;
  private final String topic;

  DebeziumLayoutSuite(World world) {
    this.world = world;
    this.type = world.engine() + "-order";
    this.topic = "outbox.event." + type;
    world
        .with("source.layout", "debezium")
        .with("source.table", world.vendor().table(world.database(), "outboxevent"))
        .with("route.topic", null);
  }

  /** Makes the table as Debezium's documentation has it, and all that an engine needs for it. */
  abstract void createTable();

  /** The text of {@code {"order": "1", "version": 2}} in that table, as the engine reads it. */
  abstract String asRead();

  @BeforeEach
  void replaceOutbox() {
    createTable();
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void rowsBecomeTheRecordsOfTheOutboxEventRouter() {
    UUID before = insert("1", "'{\"order\": \"1\", \"version\": 1}'");
    try (Engine engine = Engine.start(world).awaitState(EngineState.STREAMING);
        Topics topics = new Topics(world.broker().bootstrapServers(), topic)) {
      UUID streamed = insert("1", "'{\"order\": \"1\", \"version\": 2}'");
      UUID tombstone = insert("1", "NULL");

      List<Published> published = await(topics, 3);

      assertThat(published)
          .extracting(record -> record.header("id"))
          .containsExactly(before.toString(), streamed.toString(), tombstone.toString());
      assertThat(published)
          .allSatisfy(
              record -> {
                assertThat(record.topic()).isEqualTo(topic);
                assertThat(record.keyText()).isEqualTo("1");
                assertThat(record.headerNames()).containsExactly("id", "eventType");
                assertThat(record.header("eventType")).isEqualTo("OrderChanged");
              });
      assertThat(published.get(1).text()).isEqualTo(asRead());
      assertThat(published.get(2).value()).isNull();
      engine.assertStreaming();
    }
  }

  /** They have no version: the version guard lets them pass, the inbox does not let them twice. */
  @Test
  void aConsumerWithBothGuardsTakesEachOnce() {
    try (Effects effects = Effects.on(world.databaseServer());
        Engine engine = Engine.start(world).awaitState(EngineState.STREAMING);
        ServiceProcess first = ServiceProcess.start(world.broker(), effects, "first", topic)) {
      insert("1", "'{\"order\": \"1\", \"version\": 1}'");
      insert("1", "'{\"order\": \"1\", \"version\": 2}'");
      effects.awaitCount("first", 2);

      assertThat(
              effects.rows(
                  "SELECT version FROM effect WHERE consumer_group = 'first' ORDER BY seq"))
          .containsExactly("1", "2");
      assertThat(first.duplicates()).isEmpty();
      engine.assertStreaming();
    }
  }

  private UUID insert(String aggregate, String payload) {
    UUID id = UUID.randomUUID();
    world.execute(
        "INSERT INTO outboxevent VALUES ('%s', '%s', '%s', 'OrderChanged', %s)"
            .formatted(id, type, aggregate, payload));
    return id;
  }

  private static List<Published> await(Topics topics, int count) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInSameThread()
        .until(() -> topics.read().size() >= count);
    return topics.read();
  }
}
