package dev.waybill.quickstart.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.quickstart.inventory.InventoryService;
import dev.waybill.quickstart.orders.OrdersService;
import dev.waybill.quickstart.points.PointsService;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.FreePort;
import dev.waybill.servers.KafkaBroker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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
 * services.
 */
final class Site implements AutoCloseable {

  private static final String ENGINE = "shop";
  private static final Duration HTTP_PATIENCE = Duration.ofSeconds(1);

  private final Options options;
  private final Databases databases;
  private final KafkaBroker broker;
  private final int enginePort = FreePort.next();
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(HTTP_PATIENCE).build();
  private final ObjectMapper json = new ObjectMapper();

  private Site(Options options, Databases databases, KafkaBroker broker) {
    this.options = options;
    this.databases = databases;
    this.broker = broker;
  }

  /** Starts the servers, side by side. */
  static Site open(Options options) {
    KafkaBroker.Builder broker = KafkaBroker.builder().setting("num.partitions", "3");
    CompletableFuture<KafkaBroker> starting =
        CompletableFuture.supplyAsync(() -> Patience.start(broker::start));
    Databases databases = Databases.open(options.database());
    return new Site(options, databases, starting.join());
  }

  /** Makes what is not there yet: databases, tables, users, the engine's configuration. */
  Site setUp() throws SQLException, IOException {
    Files.createDirectories(options.logs());
    Files.writeString(configuration(), engineConfiguration());
    databases.setUp(ENGINE);
    return this;
  }

  private Path configuration() {
    return options.logs().resolve("engine.yaml").toAbsolutePath();
  }

  private String engineConfiguration() {
    return """
        engine: { name: %s }
        source:
          type: %s
          url: %s
          user: waybill_capture
          password: waybill_capture
        publish:
          kafka: { bootstrap.servers: "%s" }
        http: { port: %d }
        """
        .formatted(
            ENGINE,
            options.database().type(),
            databases.database("orders").jdbcUrl(),
            broker.bootstrapServers(),
            enginePort);
  }

  Books books() {
    return new Books(
        databases.database("orders"),
        databases.database("inventory"),
        databases.database("points"));
  }

  List<Part> servers(Clock clock) {
    return List.of(databases.part(clock), new BrokerPart(broker));
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
        .environment("DATABASE_URL", databases.database(name).jdbcUrl())
        .environment("DATABASE_USER", Databases.user(name))
        .environment("DATABASE_PASSWORD", Databases.user(name))
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

        database     %1$s
        Kafka        %2$s   (topic events.order)
        engine       curl http://127.0.0.1:%3$d/health/ready   (also /metrics)
        logs         %4$s

        Announce something by hand, and see it in the topic:
          INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)
          VALUES (%5$s, 'order', 'by-hand', 'OrderPlaced',
                  '{"customer": "me", "product": "product-1", "quantity": 1, "totalCents": 1000}');
        """
        .formatted(
            databases.client(),
            broker.bootstrapServers(),
            enginePort,
            options.logs().toAbsolutePath().normalize(),
            databases.newEventId());
  }

  @Override
  public void close() {
    broker.close();
    databases.close();
  }
}
