package dev.waybill.it.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.OutboxEvent;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.servers.BrokerServer;
import dev.waybill.servers.Database;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.wire.TopicNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * One test's own database with an outbox in it, set up with the SQL and the least-privileged users
 * of the handbook, an engine's name and topics that no other test uses. Closing it gives the
 * database back, and what an engine left in the server. Confined to the test's thread.
 */
public final class World implements AutoCloseable {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final DatabaseServer server;
  private final BrokerServer broker;
  private final Vendor vendor;
  private final Database database;
  private final String engine = "e" + COUNT.incrementAndGet();
  private final Map<String, String> settings = new TreeMap<>();
  private @Nullable Topics topics;
  private @Nullable Topics progress;

  private World(DatabaseServer server, BrokerServer broker) {
    this.server = server;
    this.broker = broker;
    this.vendor = Vendor.of(server);
    this.database = server.createDatabase();
    defaults();
  }

  /** A world with the tables of {@code outbox.sql} on shared servers. */
  public static World onPostgres(int version) {
    return on(Servers.postgres(version), Servers.broker());
  }

  /** A world with the tables of {@code outbox.sql} on shared servers. */
  public static World onMySql() {
    return on(Servers.mysql(), Servers.broker());
  }

  /** A world with the tables of {@code outbox.sql}. */
  public static World on(DatabaseServer server, BrokerServer broker) {
    World world = new World(server, broker);
    world.executeScript(SchemaSql.outbox(world.vendor().dialect()));
    world.grant();
    return world;
  }

  /** A world whose database is empty: the test makes the outbox, then calls the rest. */
  public static World empty(DatabaseServer server, BrokerServer broker) {
    return new World(server, broker);
  }

  /** The users, their passwords and what else an engine needs, for the outbox that is there. */
  public void grant() {
    try {
      vendor.grant(database, engine);
    } catch (SQLException e) {
      throw new IllegalStateException("could not grant what engine " + engine + " needs", e);
    }
  }

  public Vendor vendor() {
    return vendor;
  }

  public Outbox outbox() {
    return vendor.outbox();
  }

  public Database database() {
    return database;
  }

  public DatabaseServer databaseServer() {
    return server;
  }

  public BrokerServer broker() {
    return broker;
  }

  public String engine() {
    return engine;
  }

  /** What the names of this world's topics begin with. */
  public String prefix() {
    return "t." + engine + ".";
  }

  /** The reader of this world's events; parked events are elsewhere. */
  public Topics topics() {
    if (topics == null) {
      topics = new Topics(broker.bootstrapServers(), prefix());
    }
    return topics;
  }

  /** A reader of the events that this world's engine parks; the caller closes it. */
  public Topics parked() {
    return new Topics(broker.bootstrapServers(), TopicNames.parked(engine));
  }

  /** The reader of what this world's engine keeps. */
  Topics progress() {
    if (progress == null) {
      progress = new Topics(broker.bootstrapServers(), TopicNames.progress(engine));
    }
    return progress;
  }

  /** Changes the configuration of engines started from now on; null takes a key out. */
  public World with(String key, @Nullable String value) {
    if (value == null) {
      settings.remove(key);
    } else {
      settings.put(key, value);
    }
    return this;
  }

  /** The configuration file's text. */
  public String yaml() {
    return settings.entrySet().stream()
        .map(entry -> quoted(entry.getKey()) + ": " + quoted(entry.getValue()) + "\n")
        .collect(Collectors.joining());
  }

  /** A new file with the configuration. */
  public Path configurationFile() {
    try {
      Path file = Files.createTempFile("waybill-" + engine + "-", ".yaml");
      file.toFile().deleteOnExit();
      return Files.writeString(file, yaml());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void execute(String... statements) {
    try {
      database.execute(statements);
    } catch (SQLException e) {
      throw new IllegalStateException(String.join("; ", statements), e);
    }
  }

  /** Runs each statement of a script of {@link SchemaSql}. */
  public void executeScript(String script) {
    execute(SchemaSql.statements(script).toArray(String[]::new));
  }

  /** A connection whose transactions the test ends. */
  public Connection begin() throws SQLException {
    Connection connection = vendor.connect(database, vendor.bulkLoading());
    connection.setAutoCommit(false);
    return connection;
  }

  /** Appends events in one transaction, and commits it. */
  public void append(OutboxEvent... events) throws SQLException {
    try (Connection connection = begin()) {
      outbox().append(connection, events);
      connection.commit();
    }
  }

  /** An event of type {@code order}, whose id is its payload, too. */
  public static OutboxEvent event(String id, String aggregateId) {
    return OutboxEvent.builder("order", aggregateId, "OrderChanged")
        .eventId(id)
        .json("{\"id\":\"" + id + "\"}")
        .build();
  }

  /** Waits until {@code count} events are published and returns all there are then. */
  public List<Published> awaitPublished(int count) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(50))
        .pollInSameThread()
        .until(() -> topics().read().size() >= count);
    return topics().read();
  }

  /** The ids published so far, in their order if all have one key. */
  public List<String> publishedIds() {
    return topics().read().stream().map(Published::id).toList();
  }

  /** Waits until exactly these ids are published, in this order; all must have one key. */
  public void awaitIds(String... ids) {
    awaitPublished(ids.length);
    assertThat(publishedIds()).containsExactly(ids);
  }

  /** The first column of the first row as text; null for no row and for NULL. */
  public @Nullable String query(String sql) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : null;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** The outbox as engines name it. */
  public String table() {
    return vendor.table(database, "outbox_event");
  }

  /** A place in the log behind everything written so far. */
  public String logEnd() {
    return Objects.requireNonNull(query(vendor.logEnd()));
  }

  public long count(String sql) {
    String value = query(sql);
    return value == null ? 0 : Long.parseLong(value);
  }

  /** Waits until the source may forget the log of everything that is written now. */
  public void awaitAcknowledged() {
    String now = logEnd();
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollInSameThread()
        .until(() -> vendor.hasAcknowledged(this, now));
  }

  /** How many slots or connections this world's engines have in the source's log. */
  public long logReaders() {
    return count(vendor.logReaders(database));
  }

  @Override
  public void close() {
    if (topics != null) {
      topics.close();
    }
    if (progress != null) {
      progress.close();
    }
    if (server.isRunning()) {
      drop();
    }
  }

  private void drop() {
    try {
      vendor.drop(server, database);
    } catch (SQLException e) {
      throw new IllegalStateException("could not drop " + database.name(), e);
    }
  }

  private void defaults() {
    with("engine.name", engine);
    with("source.type", vendor.sourceType());
    with("source.url", database.jdbcUrl());
    with("source.user", Vendor.CAPTURE);
    with("source.password", Vendor.CAPTURE);
    with("source.table", table());
    with("route.topic", prefix() + "{aggregate_type}");
    with("publish.guarantee", "at-least-once");
    with("publish.kafka.bootstrap.servers", broker.bootstrapServers());
    with("http.port", "0");
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
