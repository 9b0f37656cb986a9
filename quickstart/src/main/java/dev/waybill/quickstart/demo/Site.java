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
import dev.waybill.servers.KafkaBroker;
import dev.waybill.servers.PostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
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
    this.orders = postgres.createDatabase("orders");
    this.inventory = postgres.createDatabase("inventory");
    this.points = postgres.createDatabase("points");
    this.enginePort = freePort();
  }

  /** Starts the servers, side by side, and sets up the databases. */
  static Site open(Options options) throws SQLException, IOException {
    Files.createDirectories(options.logs());
    CompletableFuture<KafkaBroker> broker =
        CompletableFuture.supplyAsync(
            () -> KafkaBroker.builder().setting("num.partitions", "3").start());
    PostgresServer postgres = PostgresServer.builder(POSTGRES).start();
    Site site = new Site(options, postgres, broker.join());
    site.setUp();
    return site;
  }

  private void setUp() throws SQLException, IOException {
    orders.execute(
        SchemaSql.outbox(Dialect.POSTGRESQL),
        SchemaSql.roles(Dialect.POSTGRESQL),
        SchemaSql.publication(ENGINE),
        resource("/dev/waybill/quickstart/orders/orders.sql"),
        "ALTER ROLE waybill_capture PASSWORD 'waybill_capture'",
        "CREATE ROLE orders_service LOGIN PASSWORD 'orders_service' IN ROLE waybill_writer",
        "GRANT SELECT, INSERT ON orders TO orders_service");
    setUp(inventory, "inventory", "stock");
    setUp(points, "points", "account");
    Files.writeString(configuration(), engineConfiguration());
  }

  private static void setUp(Database database, String name, String table) throws SQLException {
    String role = name + "_service";
    database.execute(
        SchemaSql.consumer(ConsumerDatabase.POSTGRESQL),
        resource("/dev/waybill/quickstart/" + name + "/" + name + ".sql"),
        "CREATE ROLE " + role + " LOGIN PASSWORD '" + role + "'",
        "GRANT SELECT, INSERT, UPDATE ON consumed_event, aggregate_version, "
            + table
            + " TO "
            + role);
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

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
