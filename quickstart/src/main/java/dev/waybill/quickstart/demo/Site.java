package dev.waybill.quickstart.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.outbox.ConsumerDatabase;
import dev.waybill.outbox.Dialect;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.quickstart.inventory.InventoryService;
import dev.waybill.quickstart.orders.OrdersService;
import dev.waybill.quickstart.points.PointsService;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.Database;
import dev.waybill.servers.FreePort;
import dev.waybill.servers.KafkaBroker;
import dev.waybill.servers.PostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Everything the demo consists of: two servers, three databases on one of them, the engine, three
 * services. Each service has a role of its own that may do no more than it must.
 */
final class Site implements AutoCloseable {

  private static final String ENGINE = "shop";
  private static final int POSTGRES = 18;
  private static final Duration HTTP_PATIENCE = Duration.ofSeconds(1);

  private final Options options;
  private final PostgresServer postgres;
  private final KafkaBroker broker;
  private final Database orders;
  private final Database inventory;
  private final Database points;
  private final int enginePort;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(HTTP_PATIENCE).build();
  private final ObjectMapper json = new ObjectMapper();

  private Site(Options options, PostgresServer postgres, KafkaBroker broker) {
    this.options = options;
    this.postgres = postgres;
    this.broker = broker;
    this.orders = database("orders");
    this.inventory = database("inventory");
    this.points = database("points");
    this.enginePort = FreePort.next();
  }

  /** Starts the servers, side by side. */
  static Site open(Options options) {
    KafkaBroker.Builder broker = KafkaBroker.builder().setting("num.partitions", "3");
    CompletableFuture<KafkaBroker> starting =
        CompletableFuture.supplyAsync(() -> Patience.start(broker::start));
    PostgresServer postgres = Patience.start(PostgresServer.builder(POSTGRES)::start);
    return new Site(options, postgres, starting.join());
  }

  private Database database(String name) {
    return new Database(name, postgres.jdbcUrl(name), postgres.user(), postgres.password());
  }

  /** Makes what is not there yet: databases, tables, roles, the engine's configuration. */
  Site setUp() throws SQLException, IOException {
    Files.createDirectories(options.logs());
    Files.writeString(configuration(), engineConfiguration());
    setUp(
        orders,
        "orders",
        SchemaSql.outbox(Dialect.POSTGRESQL),
        SchemaSql.roles(Dialect.POSTGRESQL),
        SchemaSql.publication(ENGINE),
        "ALTER ROLE waybill_capture PASSWORD 'waybill_capture'",
        "GRANT waybill_writer TO orders_service");
    setUpConsumer(inventory, "inventory");
    setUpConsumer(points, "points");
    return this;
  }

  private void setUpConsumer(Database database, String name) throws SQLException {
    setUp(
        database,
        name,
        SchemaSql.consumer(ConsumerDatabase.POSTGRESQL),
        "GRANT SELECT, INSERT, UPDATE ON consumed_event, aggregate_version TO "
            + name
            + "_service");
  }

  /** All of a database in one transaction: it is set up, or it is not. */
  private void setUp(Database database, String name, String... more) throws SQLException {
    if (!exists(database("postgres"), "SELECT FROM pg_database WHERE datname = '" + name + "'")) {
      postgres.createDatabase(name);
    }
    String role = name + "_service";
    if (!exists(database, "SELECT FROM pg_roles WHERE rolname = '" + role + "'")) {
      List<String> all = new ArrayList<>();
      all.add("CREATE ROLE " + role + " LOGIN PASSWORD '" + role + "'");
      all.add(resource("/dev/waybill/quickstart/" + name + "/" + name + ".sql"));
      all.addAll(List.of(more));
      database.execute(String.join(";\n", all));
    }
  }

  private static boolean exists(Database database, String query) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next();
    }
  }

  private Path configuration() {
    return options.logs().resolve("engine.yaml").toAbsolutePath();
  }

  private String engineConfiguration() {
    return """
        engine: { name: %s }
        source:
          url: %s
          user: waybill_capture
          password: waybill_capture
        publish:
          kafka: { bootstrap.servers: "%s" }
        http: { port: %d }
        """
        .formatted(ENGINE, orders.jdbcUrl(), broker.bootstrapServers(), enginePort);
  }

  Books books() {
    return new Books(orders, inventory, points);
  }

  List<Part> servers(Clock clock) {
    return List.of(new DatabasePart(postgres, clock), new BrokerPart(broker));
  }

  ServicePart engine() {
    return new ServicePart(
        "engine",
        false,
        () ->
            ChildJvm.builder("dev.waybill.cli.Waybill")
                .classPath(options.distribution() + "/lib/*")
                .jvmOptions("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .arguments("run", "-c", configuration().toString())
                .output(log("engine"))
                .start());
  }

  ServicePart ordersService() {
    return new ServicePart(
        "orders service",
        true,
        () ->
            service(OrdersService.class, "orders")
                .environment("ORDERS", String.valueOf(options.orders()))
                .environment("ORDERS_PER_SECOND", String.valueOf(options.perSecond()))
                .start());
  }

  ServicePart inventoryService() {
    return new ServicePart(
        "inventory service", false, () -> service(InventoryService.class, "inventory").start());
  }

  ServicePart pointsService() {
    return new ServicePart(
        "points service", false, () -> service(PointsService.class, "points").start());
  }

  private ChildJvm.Builder service(Class<?> main, String name) {
    return ChildJvm.builder(main)
        .jvmOptions("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
        .environment("DATABASE_URL", postgres.jdbcUrl(name))
        .environment("DATABASE_USER", name + "_service")
        .environment("DATABASE_PASSWORD", name + "_service")
        .environment("KAFKA_BOOTSTRAP_SERVERS", broker.bootstrapServers())
        .environment("INSTANCE", name + "-1")
        .output(log(name));
  }

  /** What the engine says of itself; null while it says nothing. */
  @Nullable String engineState() {
    try {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(URI.create(engineUrl("/health/ready")))
                  .timeout(HTTP_PATIENCE)
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      return json.readTree(answer.body()).path("state").asText();
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private String engineUrl(String path) {
    return "http://127.0.0.1:" + enginePort + path;
  }

  private Path log(String name) {
    return options.logs().resolve(name + ".log");
  }

  /** For somebody who wants to try by hand. */
  String addresses() {
    return """

        PostgreSQL   psql "postgresql://postgres:postgres@127.0.0.1:%1$d/orders"   (also /inventory, /points)
        Kafka        %2$s   (topic events.order)
        engine       curl http://127.0.0.1:%3$d/health/ready   (also /metrics)
        logs         %4$s

        Announce something by hand, and see it in the topic:
          INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)
          VALUES (uuidv7(), 'order', 'by-hand', 'OrderPlaced',
                  '{"customer": "me", "product": "product-1", "quantity": 1, "totalCents": 1000}');
        """
        .formatted(
            postgres.port(),
            broker.bootstrapServers(),
            enginePort,
            options.logs().toAbsolutePath().normalize());
  }

  private static String resource(String name) {
    try (InputStream in = Site.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the quickstart lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    broker.close();
    postgres.close();
  }
}
