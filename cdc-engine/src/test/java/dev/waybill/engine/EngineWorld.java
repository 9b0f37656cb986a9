package dev.waybill.engine;

import dev.waybill.outbox.Dialect;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.servers.BrokerServer;
import dev.waybill.servers.Database;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.KafkaBroker;
import dev.waybill.servers.PostgresServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A database server and a broker, and what tests do with them and with engines between them. */
final class EngineWorld implements AutoCloseable {

  private static final AtomicInteger NAMES = new AtomicInteger();

  private final PostgresServer postgres;
  private final KafkaBroker broker;
  private final HttpClient http = HttpClient.newHttpClient();

  private EngineWorld(PostgresServer postgres, KafkaBroker broker) {
    this.postgres = postgres;
    this.broker = broker;
  }

  /** Version 18, where a missing publication is not even an error to the log's reader. */
  static EngineWorld start() {
    return new EngineWorld(
        PostgresServer.builder(18).start(),
        KafkaBroker.builder().setting("auto.create.topics.enable", "false").start());
  }

  DatabaseServer postgres() {
    return postgres;
  }

  BrokerServer broker() {
    return broker;
  }

  /** A name that no other engine has. */
  static String newName() {
    return "engine_" + NAMES.incrementAndGet();
  }

  Database newOutbox() throws SQLException {
    Database database = postgres.createDatabase();
    database.execute(SchemaSql.outbox(Dialect.POSTGRESQL));
    return database;
  }

  /** A configuration that loses no time. */
  EngineConfig config(String name, Database database, String... more) {
    return config(name, database, 0, more);
  }

  EngineConfig config(String name, Database database, int httpPort, String... more) {
    String yaml =
        """
        engine.name: %s
        source:
          url: %s
          user: %s
          password: %s
          heartbeat: 200ms
        publish.kafka: { bootstrap.servers: "%s", max.block.ms: 3000, delivery.timeout.ms: 4000, request.timeout.ms: 2000 }
        http.port: %d
        supervisor: { back-off-first: 50ms, back-off-longest: 300ms, measure-every: 200ms }
        """
            .formatted(
                name,
                database.jdbcUrl(),
                database.user(),
                database.password(),
                broker.bootstrapServers(),
                httpPort);
    return EngineConfig.parse("test.yaml", yaml + String.join("\n", more), Map.of());
  }

  void createTopic(String name) throws Exception {
    try (Admin admin = Admin.create(kafka())) {
      admin.createTopics(List.of(new NewTopic(name, 3, (short) 1))).all().get();
    }
  }

  void deleteTopic(String name) throws Exception {
    try (Admin admin = Admin.create(kafka())) {
      admin.deleteTopics(List.of(name)).all().get();
    }
  }

  void send(String topic, String value) throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(kafka(), new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>(topic, "key", value)).get();
    }
  }

  Set<String> topics() throws Exception {
    try (Admin admin = Admin.create(kafka())) {
      return admin.listTopics().names().get();
    }
  }

  private Map<String, Object> kafka() {
    return Map.of("bootstrap.servers", broker.bootstrapServers());
  }

  /** One event per id, committed together, in the order given. */
  static void append(Database database, String type, List<String> ids) throws SQLException {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement(
              "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)"
                  + " VALUES (?, ?, 'one', 'Happened', '{}')")) {
        for (String id : ids) {
          insert.setString(1, id);
          insert.setString(2, type);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      connection.commit();
    }
  }

  static List<String> ids(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(number -> prefix + number).toList();
  }

  /** The ids of all events in a topic, partition by partition. */
  List<String> publishedIds(String topic) {
    List<String> ids = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(kafka(), new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> ids.add(id(record)));
      }
    }
    return ids;
  }

  private static String id(ConsumerRecord<String, String> record) {
    return new String(record.headers().lastHeader("ce_id").value(), StandardCharsets.UTF_8);
  }

  HttpResponse<String> get(OutboxEngine engine, String path)
      throws IOException, InterruptedException {
    InetSocketAddress address = engine.httpAddress().orElseThrow();
    URI uri = URI.create("http://127.0.0.1:" + address.getPort() + path);
    return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    postgres.close();
    broker.close();
  }
}
