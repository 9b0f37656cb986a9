package dev.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineListener;
import dev.waybill.engine.EngineState;
import dev.waybill.event.OutboxEvent;
import dev.waybill.it.service.Effects;
import dev.waybill.it.service.Orders;
import dev.waybill.it.service.ServiceProcess;
import dev.waybill.it.service.ServiceProcess.Point;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.EngineProcess;
import dev.waybill.it.world.Published;
import dev.waybill.it.world.Topics;
import dev.waybill.it.world.World;
import dev.waybill.servers.BrokerServer;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.wire.ParkedHeaders;
import dev.waybill.wire.TopicNames;
import java.sql.SQLException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * G1 to G6 together: a change of an order takes effect once in each group downstream, in the order
 * of the order's versions, whatever dies on the way. Database and broker belong to the suite alone.
 */
abstract class EndToEndSuite {

  private static final String STOCK = "stock";
  private static final String POINTS = "points";
  private static final int DEATHS = 9;
  private static final int BATCH = 64;

  private final RandomGenerator random = new SplittableRandom(51);
  private final DatabaseServer database;
  private final BrokerServer broker;
  private final World world;
  private final Effects effects;
  private final String topic;

  EndToEndSuite(DatabaseServer database, BrokerServer broker) {
    this.database = database;
    this.broker = broker;
    this.world = World.on(database, broker);
    this.effects = Effects.on(database);
    this.topic = world.topics().create("order", 3);
    world
        .with("source.batch-size", Integer.toString(BATCH))
        .with("publish.kafka.delivery.timeout.ms", "4000")
        .with("publish.kafka.max.block.ms", "2000")
        .with("supervisor.back-off-first", "100ms")
        .with("supervisor.back-off-longest", "1s");
  }

  @BeforeEach
  void createBusinessTable() {
    Orders.createTable(world);
  }

  @AfterEach
  void closeWorld() {
    database.start();
    broker.start();
    effects.close();
    world.close();
  }

  @Test
  void eachEventTakesEffectOncePerGroupWhateverIsKilled() {
    try (Service stock = new Service(STOCK);
        Service otherStock = new Service(STOCK);
        Service points = new Service(POINTS);
        Pipeline engine = new Pipeline()) {
      try (Orders orders = Orders.start(world, 2, Duration.ofMillis(25), 52)) {
        for (int deaths = 0; deaths < DEATHS; deaths++) {
          orders.awaitMore(20 + random.nextInt(150));
          switch (deaths % 5) {
            case 0 ->
                engine.dieAt(
                    deaths == 0
                        ? EngineListener.Point.PUBLISHED
                        : EngineListener.Point.PROGRESS_STORED,
                    orders);
            case 1 -> (random.nextBoolean() ? stock : otherStock).die();
            case 2 -> restartBroker();
            case 3 -> killDatabase();
            default -> {
              engine.die();
              points.die();
            }
          }
        }
        orders.awaitMore(100);
        assertThat(orders.interrupted()).as("transactions cut off by a death").isPositive();
      }
      effects.awaitOneEffectOfEachChange(world, STOCK);
      effects.awaitOneEffectOfEachChange(world, POINTS);
    }
    assertThat(world.publishedIds())
        .as("records, some of which repeat an earlier one, or the guards had nothing to do")
        .hasSizeGreaterThan((int) world.count("SELECT count(*) FROM order_change"));
  }

  @ParameterizedTest
  @EnumSource(Point.class)
  void c65KilledAroundTheCommitAServiceLosesAndRepeatsNothing(Point point) throws SQLException {
    Orders.write(world, "w", 60, 53);
    try (Engine engine = Engine.start(world).awaitState(EngineState.STREAMING)) {
      for (int events : new int[] {1, 2, 11}) {
        try (ServiceProcess service =
            ServiceProcess.haltingAt(point, events, broker, effects, STOCK, topic)) {
          service.awaitHalt();
        }
      }
      try (ServiceProcess service = ServiceProcess.start(broker, effects, STOCK, topic)) {
        effects.awaitOneEffectOfEachChange(world, STOCK);

        if (point == Point.COMMITTED) {
          assertThat(service.duplicates()).as("events whose offset was not committed").isNotEmpty();
        } else {
          assertThat(service.tail()).doesNotContain("Exception");
        }
      }
      engine.assertStreaming();
    }
  }

  @Test
  void c60AGroupThatComesLaterHasEachEffectOfItsOwn() throws SQLException {
    Orders.write(world, "w", 30, 54);
    try (Engine engine = Engine.start(world).awaitState(EngineState.STREAMING)) {
      try (ServiceProcess stock = ServiceProcess.start(broker, effects, STOCK, topic)) {
        effects.awaitOneEffectOfEachChange(world, STOCK);
        assertThat(stock.duplicates()).isEmpty();
      }
      try (ServiceProcess points = ServiceProcess.start(broker, effects, POINTS, topic)) {
        effects.awaitOneEffectOfEachChange(world, POINTS);
        assertThat(points.duplicates()).isEmpty();
      }
      engine.assertStreaming();
    }
  }

  @Test
  void aPoisonEventIsParkedWhileTheOthersTakeEffect() throws SQLException {
    Orders.write(world, "before", 20, 55);
    world.append(
        changed("poison", "{\"order\":\"bad\",\"version\":1,\"poisonous\":true}"),
        changed("undecodable", "[\"no order\"]"),
        changed("harmless", "{\"order\":\"bad\",\"version\":2}"));
    Orders.write(world, "after", 20, 56);
    try (Engine engine = Engine.start(world).awaitState(EngineState.STREAMING);
        ServiceProcess service = ServiceProcess.start(broker, effects, STOCK, topic);
        Topics parked = new Topics(broker.bootstrapServers(), TopicNames.parked(topic, STOCK))) {
      int changes = (int) world.count("SELECT count(*) FROM order_change");
      effects.awaitCount(STOCK, changes + 1);
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .pollInSameThread()
          .until(() -> parked.read().size() >= 2);

      assertThat(effects.rows("SELECT event_id FROM effect WHERE order_id = 'bad'"))
          .containsExactly("harmless");
      assertThat(parked.read()).extracting(Published::id).containsExactly("poison", "undecodable");
      assertParked(parked.read().get(0), "2", "IllegalStateException");
      assertParked(parked.read().get(1), "0", "UndecodablePayloadException");
      effects.execute("DELETE FROM effect WHERE order_id = 'bad'");
      effects.awaitOneEffectOfEachChange(world, STOCK);
      assertThat(service.duplicates()).isEmpty();
      engine.assertStreaming();
    }
  }

  private void assertParked(Published record, String attempts, String exception) {
    Published original =
        world.topics().read().stream()
            .filter(published -> published.id().equals(record.id()))
            .findAny()
            .orElseThrow();
    assertThat(record.key()).isEqualTo(original.key());
    assertThat(record.value()).isEqualTo(original.value());
    assertThat(record.headerNames()).containsAll(original.headerNames());
    assertThat(record.header(ParkedHeaders.TOPIC)).isEqualTo(topic);
    assertThat(record.header(ParkedHeaders.PARTITION))
        .isEqualTo(Integer.toString(original.partition()));
    assertThat(record.header(ParkedHeaders.GROUP)).isEqualTo(STOCK);
    assertThat(record.header(ParkedHeaders.ATTEMPTS)).isEqualTo(attempts);
    assertThat(record.header(ParkedHeaders.EXCEPTION)).endsWith(exception);
  }

  private static OutboxEvent changed(String id, String payload) {
    return OutboxEvent.builder("order", "bad", "OrderChanged").eventId(id).json(payload).build();
  }

  private void restartBroker() {
    if (random.nextBoolean()) {
      broker.kill();
    } else {
      broker.stop();
    }
    broker.start();
  }

  /** That of the orders and those of the services: it is one server. */
  private void killDatabase() {
    database.kill();
    database.start();
  }

  /** A member of a group that is started again whenever it died. */
  private final class Service implements AutoCloseable {

    private final String group;
    private ServiceProcess process;

    Service(String group) {
      this.group = group;
      this.process = ServiceProcess.start(broker, effects, group, topic);
    }

    void die() {
      process.kill();
      process = ServiceProcess.start(broker, effects, group, topic);
    }

    @Override
    public void close() {
      process.close();
    }
  }

  /** An engine that is started again whenever it died. */
  private final class Pipeline implements AutoCloseable {

    private EngineProcess process = EngineProcess.start(world).awaitState(EngineState.STREAMING);

    void die() {
      process.kill();
      process = EngineProcess.start(world);
    }

    /**
     * Dies now, is back when there is more to publish than fits into its second batch, and dies
     * when that has come to {@code point}.
     */
    void dieAt(EngineListener.Point point, Orders orders) {
      process.kill();
      orders.awaitMore(3 * BATCH);
      process = EngineProcess.haltingAt(world, point, 2);
      process.awaitHalt();
      process = EngineProcess.start(world);
    }

    @Override
    public void close() {
      process.close();
    }
  }
}
