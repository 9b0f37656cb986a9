package dev.waybill.it.speed;

import dev.waybill.engine.EngineConfig;
import dev.waybill.engine.EngineState;
import dev.waybill.engine.OutboxEngine;
import dev.waybill.outbox.Dialect;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.servers.BrokerServer;
import dev.waybill.servers.Database;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.KafkaBroker;
import dev.waybill.servers.PostgresServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Measures draining a backlog, and the delay from commit to consumer under a steady load;
 * everything on this machine, the engine in this JVM. Run it with -Xmx512m.
 *
 * <p>Arguments: events to drain (200000), events a second (500), seconds of steady load (20).
 */
final class SpeedMain {

  private static final String PAYLOAD = "{\"text\":\"" + "x".repeat(260) + "\"}";
  private static final String TOPIC = "events.order";

  private SpeedMain() {}

  public static void main(String[] arguments) throws Exception {
    int events = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 200_000;
    int rate = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 500;
    int seconds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 20;
    try (DatabaseServer server = PostgresServer.builder(16).start();
        BrokerServer broker = KafkaBroker.builder().setting("num.partitions", "3").start()) {
      Database database = server.createDatabase("shop");
      database.execute(SchemaSql.outbox(Dialect.POSTGRESQL), FILL);
      EngineConfig config = config(database, broker);
      try (OutboxEngine engine = OutboxEngine.builder(config).build()) {
        start(engine);
      }
      drain(config, database, events, "one-row transactions", 1);
      drain(config, database, events, "100-row transactions", 100);
      delay(config, database, broker, rate, seconds);
    }
  }

  private static final String FILL =
      """
      CREATE PROCEDURE fill(rows int, each int, payload text) LANGUAGE plpgsql AS $$
      BEGIN
        FOR i IN 1 .. rows / each LOOP
          INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)
          SELECT gen_random_uuid()::text, 'order', ((i * each + j) % 1000)::text, 'Happened',
                 payload::json
            FROM generate_series(1, each) j;
          COMMIT;
        END LOOP;
      END
      $$
      """;

  private static EngineConfig config(Database database, BrokerServer broker) {
    return EngineConfig.parse(
        "speed",
        """
        engine.name: speed
        source: { url: "%s", user: %s, password: %s }
        publish.kafka: { bootstrap.servers: "%s" }
        http.enabled: false
        """
            .formatted(
                database.jdbcUrl(),
                database.user(),
                database.password(),
                broker.bootstrapServers()),
        Map.of());
  }

  private static void start(OutboxEngine engine) {
    engine.start();
    waitFor(() -> engine.status().state() == EngineState.STREAMING);
  }

  private static void waitFor(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static void drain(
      EngineConfig config, Database database, int events, String what, int each)
      throws SQLException {
    database.execute("CALL fill(%d, %d, '%s')".formatted(events, each, PAYLOAD));
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    try (OutboxEngine engine = OutboxEngine.builder(config).meters(meters).build()) {
      engine.start();
      waitFor(() -> published(meters) > 0);
      double first = published(meters);
      long began = System.nanoTime();
      waitFor(() -> published(meters) >= events);
      double took = (System.nanoTime() - began) / 1e9;
      System.out.printf(
          "Drained %,d events in %s: %,.0f events/s%n", events, what, (events - first) / took);
    }
  }

  private static double published(SimpleMeterRegistry meters) {
    return meters.get("waybill.events.published").counter().count();
  }

  /** The clock of commit and consumer is the same, so the delay is what a consumer would see. */
  private static void delay(
      EngineConfig config, Database database, BrokerServer broker, int rate, int seconds)
      throws Exception {
    int events = rate * seconds;
    try (OutboxEngine engine = OutboxEngine.builder(config).build();
        KafkaConsumer<byte[], byte[]> consumer = consumer(broker)) {
      start(engine);
      Thread writer = new Thread(() -> write(database, rate, events), "writer");
      writer.start();
      long[] delays = new long[events];
      for (int seen = 0; seen < events; ) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          delays[seen++] = (System.nanoTime() - Long.parseLong(text(record))) / 1_000;
        }
      }
      writer.join();
      Arrays.sort(delays);
      System.out.printf(
          "Delay at %,d events/s, commit to consumer: p50 %.1f ms, p99 %.1f ms, worst %.1f ms%n",
          rate,
          delays[events / 2] / 1e3,
          delays[events * 99 / 100] / 1e3,
          delays[events - 1] / 1e3);
    }
  }

  private static String text(ConsumerRecord<byte[], byte[]> record) {
    return new String(record.value(), java.nio.charset.StandardCharsets.UTF_8);
  }

  private static KafkaConsumer<byte[], byte[]> consumer(BrokerServer broker) {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", broker.bootstrapServers());
    properties.put("group.id", "speed");
    properties.put("auto.offset.reset", "latest");
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    consumer.subscribe(List.of(TOPIC));
    while (consumer.assignment().isEmpty()) {
      consumer.poll(Duration.ofMillis(100));
    }
    consumer.assignment().forEach(consumer::position);
    return consumer;
  }

  /** Each event carries the time at which its commit was asked for. */
  private static void write(Database database, int rate, int events) {
    try (Connection connection = database.connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)"
                    + " VALUES (gen_random_uuid()::text, 'order', ?, 'Happened', ?::json)")) {
      long began = System.nanoTime();
      for (int event = 0; event < events; event++) {
        LockSupport.parkNanos(began + event * 1_000_000_000L / rate - System.nanoTime());
        insert.setString(1, Integer.toString(event % 1000));
        insert.setString(2, Long.toString(System.nanoTime()));
        insert.executeUpdate();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
