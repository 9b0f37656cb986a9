package dev.waybill.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.consumer.guard.EventTransaction;
import dev.waybill.consumer.handle.BackOff;
import dev.waybill.consumer.handle.RetryPolicy;
import dev.waybill.event.Event;
import dev.waybill.servers.BrokerServer;
import dev.waybill.servers.Database;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.wire.EventEncoder;
import dev.waybill.wire.TopicNames;
import dev.waybill.wire.WireHeader;
import dev.waybill.wire.WireRecord;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A topic with events, a database for their effects, and consumers between them. Closing it closes
 * the consumers too. Confined to the test's thread, but for {@link #write}.
 */
public final class TestBed implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(45);

  private final String id = UUID.randomUUID().toString().substring(0, 8);
  private final BrokerServer broker;
  private final TestDatabase kind;
  private final Database database;
  private final HikariDataSource pool;
  private final Admin admin;
  private final Producer<byte[], byte[]> producer;
  private final List<EventConsumer> consumers = new ArrayList<>();

  private TestBed(BrokerServer broker, TestDatabase kind, DatabaseServer server, int partitions)
      throws SQLException {
    this.broker = broker;
    this.kind = kind;
    this.database = kind.create(server);
    this.pool = pool(database);
    this.admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    database.execute(
        "CREATE TABLE effect (n "
            + kind.identity()
            + ", event_id varchar(255) NOT NULL, consumer_group varchar(255) NOT NULL,"
            + " aggregate_id varchar(255))");
    createTopic(topic(), partitions);
  }

  /** On PostgreSQL, for what does not depend on the database. */
  static TestBed open(int partitions) throws SQLException {
    return open(TestDatabase.POSTGRESQL, partitions);
  }

  static TestBed open(TestDatabase kind, int partitions) throws SQLException {
    return open(kind, kind.shared(), partitions);
  }

  static TestBed open(TestDatabase kind, DatabaseServer server, int partitions)
      throws SQLException {
    return new TestBed(TestServers.kafka(), kind, server, partitions);
  }

  static TestBed open(BrokerServer broker, int partitions) throws SQLException {
    TestDatabase kind = TestDatabase.POSTGRESQL;
    return new TestBed(broker, kind, kind.shared(), partitions);
  }

  String topic() {
    return "events.order-" + id;
  }

  /** Two beds never share a group. */
  String group(String name) {
    return name + "-" + id;
  }

  Database database() {
    return database;
  }

  DataSource dataSource() {
    return pool;
  }

  String bootstrapServers() {
    return broker.bootstrapServers();
  }

  Map<String, Object> kafka() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", broker.bootstrapServers());
    return settings;
  }

  /** A consumer of the topic with short times, which still wants its handlers. */
  EventConsumer.Builder consumer(String group) {
    return EventConsumer.builder(group(group))
        .topics(topic())
        .kafka(kafka())
        .dataSource(pool)
        .retry(RetryPolicy.after(Duration.ofMillis(50), Duration.ofMillis(100)))
        .outageBackOff(new BackOff(Duration.ofMillis(50), Duration.ofMillis(500)))
        .commitInterval(Duration.ofMillis(100))
        .closeTimeout(Duration.ofSeconds(5))
        .parkTimeout(Duration.ofSeconds(10));
  }

  EventConsumer start(EventConsumer.Builder builder) {
    EventConsumer consumer = builder.build();
    consumers.add(consumer);
    consumer.start();
    return consumer;
  }

  void publish(Event... events) {
    for (Event event : events) {
      publish(topic(), null, event);
    }
  }

  void publishTo(int partition, Event... events) {
    for (Event event : events) {
      publish(topic(), partition, event);
    }
  }

  void publish(String topic, @Nullable Integer partition, Event event) {
    String key = event.aggregateId() == null ? "" : event.aggregateId();
    send(encode(topic, partition, key, event));
  }

  void publishKeyless(int partition, Event event) {
    ProducerRecord<byte[], byte[]> keyed = encode(topic(), partition, "", event);
    send(
        new ProducerRecord<>(
            topic(), partition, keyed.timestamp(), null, keyed.value(), keyed.headers()));
  }

  private static ProducerRecord<byte[], byte[]> encode(
      String topic, @Nullable Integer partition, String key, Event event) {
    WireRecord record =
        EventEncoder.cloudEvents("/waybill/test")
            .encode(topic, key, event, System.currentTimeMillis());
    List<Header> headers = new ArrayList<>();
    for (WireHeader header : record.headers()) {
      headers.add(new RecordHeader(header.name(), header.value()));
    }
    return new ProducerRecord<>(
        topic, partition, record.timestamp(), record.key(), record.value(), headers);
  }

  void send(ProducerRecord<byte[], byte[]> record) {
    get(() -> producer.send(record).get());
  }

  void createTopic(String topic, int partitions) {
    NewTopic created = new NewTopic(topic, Optional.of(partitions), Optional.empty());
    get(() -> admin.createTopics(List.of(created)).all().get());
  }

  void createTopicIfMissing(String topic) {
    if (!topics().contains(topic)) {
      createTopic(topic, 1);
    }
  }

  Admin admin() {
    return admin;
  }

  /** What a handler does here: a row in {@code effect}, which counts how often. */
  static void write(String group, Event event, EventTransaction tx) throws SQLException {
    write(tx.connection(), group, event);
  }

  static void write(Connection connection, String group, Event event) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO effect (event_id, consumer_group, aggregate_id) VALUES (?, ?, ?)")) {
      insert.setString(1, event.id());
      insert.setString(2, group);
      insert.setString(3, event.aggregateId());
      insert.executeUpdate();
    }
  }

  /** The ids of events that took effect for a group, in that order. */
  List<String> effects(String group) {
    return get(
        () -> {
          List<String> ids = new ArrayList<>();
          try (Connection connection = database.connect();
              PreparedStatement select =
                  connection.prepareStatement(
                      "SELECT event_id FROM effect WHERE consumer_group = ? ORDER BY n")) {
            select.setString(1, group);
            try (ResultSet rows = select.executeQuery()) {
              while (rows.next()) {
                ids.add(rows.getString(1));
              }
            }
          }
          return ids;
        });
  }

  /** Waits until that many statements wait for a lock. */
  void awaitWaiting(int statements) {
    kind.awaitWaiting(database, statements);
  }

  long count(String sql) {
    return count(database, sql);
  }

  static long count(Database database, String sql) {
    return get(
        () -> {
          try (Connection connection = database.connect();
              Statement statement = connection.createStatement();
              ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
          }
        });
  }

  void awaitEffects(String group, String... ids) {
    await().atMost(PATIENCE).until(() -> effects(group).containsAll(List.of(ids)));
  }

  /** The committed offset of a partition; -1 if there is none. */
  long committed(String group, int partition) {
    return get(
        () -> {
          OffsetAndMetadata offset =
              admin
                  .listConsumerGroupOffsets(group(group))
                  .partitionsToOffsetAndMetadata()
                  .get()
                  .get(new TopicPartition(topic(), partition));
          return offset == null ? -1 : offset.offset();
        });
  }

  void awaitCommitted(String group, int partition, long offset) {
    await().atMost(PATIENCE).until(() -> committed(group, partition) == offset);
  }

  /** Sets the group back, which must have no members. */
  void rewind(String group, int partition, long offset) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsMatching(e -> e.getCause() instanceof ExecutionException)
        .untilAsserted(
            () ->
                get(
                    () ->
                        admin
                            .alterConsumerGroupOffsets(
                                group(group),
                                Map.of(
                                    new TopicPartition(topic(), partition),
                                    new OffsetAndMetadata(offset)))
                            .all()
                            .get()));
  }

  /** Waits for so many parked records of a group and returns them by offset. */
  List<ConsumerRecord<byte[], byte[]>> awaitParked(String group, int count) {
    String parked = TopicNames.parked(topic(), group(group));
    await().atMost(PATIENCE).until(() -> topics().contains(parked));
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> reader =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers(), "auto.offset.reset", "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          reader.partitionsFor(parked).stream()
              .map(info -> new TopicPartition(parked, info.partition()))
              .toList();
      reader.assign(partitions);
      reader.seekToBeginning(partitions);
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                reader.poll(Duration.ofMillis(200)).forEach(records::add);
                return records.size() >= count;
              });
    }
    return records;
  }

  Set<String> topics() {
    return get(() -> admin.listTopics().names().get());
  }

  static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "absent" : new String(requireNonNull(header.value()), UTF_8);
  }

  void closeConsumers() {
    consumers.forEach(EventConsumer::close);
  }

  @Override
  public void close() {
    closeConsumers();
    producer.close();
    admin.close();
    pool.close();
  }

  public static HikariDataSource pool(Database database) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.jdbcUrl());
    config.setUsername(database.user());
    config.setPassword(database.password());
    config.setMaximumPoolSize(8);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(1_000);
    config.setInitializationFailTimeout(-1);
    HikariDataSource pool = new HikariDataSource(config);
    // The pool sets it for the whole JVM, and a server that has just started may need longer.
    DriverManager.setLoginTimeout(0);
    return pool;
  }

  static <T> T get(Callable<T> call) {
    try {
      return call.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
