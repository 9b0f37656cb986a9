package dev.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.consumer.EventConsumer;
import dev.waybill.consumer.guard.Guard;
import dev.waybill.event.OutboxEvent;
import dev.waybill.it.world.Distribution;
import dev.waybill.it.world.Servers;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.servers.BrokerServer;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.Database;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.MySqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** README.md as a newcomer follows it: its SQL, its configuration and its Java, on real servers. */
class ReadmeTest {

  private static final Path README = Path.of("../README.md");
  private static final Path THIS = Path.of("src/test/java/dev/waybill/it/ReadmeTest.java");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Distribution waybill = Distribution.assembled();

  @Test
  void itsJavaIsTheCodeBelow() throws IOException {
    String source = withoutBlanks(Files.readString(THIS));
    assertThat(snippets("java")).hasSize(2);
    for (String java : snippets("java")) {
      assertThat(source).contains(withoutBlanks(java));
    }
  }

  @Test
  void whoeverFollowsItHasTwoEventsTakeEffect(@TempDir Path folder) throws Exception {
    try (DatabaseServer server = Servers.ownPostgres(Servers.NEWEST)) {
      Database shop = server.createDatabase("shop");
      shop.execute(
          waybill.run("schema", "outbox", "roles", "publication", "--engine", "shop").text(),
          "ALTER ROLE waybill_capture PASSWORD 'secret'",
          "CREATE TABLE orders (id text PRIMARY KEY)");
      Database inventory = server.createDatabase("inventory");
      inventory.execute(
          waybill.run("schema", "consumer").text(),
          "CREATE TABLE stock (sku text PRIMARY KEY, reserved int NOT NULL)",
          "INSERT INTO stock VALUES ('apple', 0)");

      followTo(5, shop, inventory, folder, Map.of(), ReadmeTest::announce);
    }
  }

  @Test
  void whoeverFollowsItOnMySqlHasAnEventTakeEffect(@TempDir Path folder) throws Exception {
    try (MySqlServer server = withSettingsOf(snippets("ini").get(0)).start()) {
      Database shop = server.createDatabase("shop");
      shop.execute(statements("outbox", "roles"));
      shop.execute("CREATE USER shop");
      shop.execute(mysqlCommands("secret"));
      Database inventory = server.createDatabase("inventory");
      inventory.execute(statements("consumer"));
      inventory.execute(
          "CREATE TABLE stock (sku VARCHAR(40) PRIMARY KEY, reserved INT NOT NULL)",
          "INSERT INTO stock VALUES ('apple', 0)");

      followTo(3, shop, inventory, folder, Map.of("WAYBILL_SOURCE_TYPE", "mysql"), shops -> {});
    }
  }

  /** What the application does once the first event has taken effect. */
  private interface Application {
    void announce(DataSource shop) throws SQLException;
  }

  private void followTo(
      int reserved,
      Database shop,
      Database inventory,
      Path folder,
      Map<String, String> variables,
      Application application)
      throws Exception {
    Map<String, String> environment = new HashMap<>(variables);
    environment.putAll(Map.of("DB_PASSWORD", "secret", "WAYBILL_HTTP_PORT", "0"));
    // Both readers call their engine as the README does: a broker knows one of that name.
    try (BrokerServer broker = Servers.ownBroker(Map.of())) {
      String configuration = configuration(folder, shop, broker);
      Distribution.Ended doctor = waybill.run(environment, "doctor", "-c", configuration);
      assertThat(doctor.exitCode()).as(doctor.text()).isZero();

      shop.execute(snippets("sql").get(0));
      try (ChildJvm engine = waybill.start(environment, "run", "-c", configuration);
          HikariDataSource shops = pool(shop);
          HikariDataSource inventories = pool(inventory);
          EventConsumer consumer = consumer(inventories, broker)) {
        consumer.start();
        Awaitility.await().atMost(PATIENCE).until(() -> reserved(inventory) == 3);
        application.announce(shops);
        Awaitility.await().atMost(PATIENCE).until(() -> reserved(inventory) == reserved);
        engine.terminate();
        assertThat(engine.awaitExit(PATIENCE)).isZero();
      }
    }
  }

  private static MySqlServer.Builder withSettingsOf(String ini) {
    MySqlServer.Builder builder = MySqlServer.builder();
    ini.lines()
        .map(line -> line.split(" *= *"))
        .filter(parts -> parts.length == 2)
        .forEach(parts -> builder.setting(parts[0], parts[1]));
    return builder;
  }

  private String[] statements(String... parts) {
    List<String> command = new ArrayList<>(List.of("schema", "--database", "mysql"));
    command.addAll(List.of(parts));
    String sql = waybill.run(command.toArray(String[]::new)).text();
    return SchemaSql.statements(sql).toArray(String[]::new);
  }

  /** What the README gives to {@code mysql -e}. */
  private static String[] mysqlCommands(String password) throws IOException {
    return Pattern.compile("^mysql -e \"(.*)\"$", Pattern.MULTILINE)
        .matcher(Files.readString(README))
        .results()
        .flatMap(result -> Stream.of(result.group(1).replace("…", password).split("; ")))
        .toArray(String[]::new);
  }

  /** The README's, but for the addresses. */
  private static String configuration(Path folder, Database shop, BrokerServer broker)
      throws IOException {
    String yaml =
        snippets("yaml")
            .get(0)
            .replace("jdbc:postgresql://localhost:5432/shop", shop.jdbcUrl())
            .replace("localhost:9092", broker.bootstrapServers());
    assertThat(yaml).contains(shop.jdbcUrl(), broker.bootstrapServers());
    return Files.writeString(folder.resolve("shop.yaml"), yaml).toString();
  }

  private static void announce(DataSource dataSource) throws SQLException {
    Outbox outbox = Outbox.postgresql();

    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      insertOrder(connection, "4712");
      outbox.append(
          connection,
          OutboxEvent.builder("order", "4712", "OrderCreated")
              .aggregateVersion(1)
              .json("{\"sku\": \"apple\", \"quantity\": 2}")
              .build());
      connection.commit();
    }
  }

  private static void insertOrder(Connection connection, String id) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders VALUES (?)")) {
      insert.setString(1, id);
      assertThat(insert.executeUpdate()).isEqualTo(1);
    }
  }

  private static EventConsumer consumer(DataSource dataSource, BrokerServer broker) {
    Map<String, Object> kafkaSettings = Map.of("bootstrap.servers", broker.bootstrapServers());
    EventConsumer consumer =
        EventConsumer.builder("inventory-service")
            .topics("events.order")
            .kafka(kafkaSettings) // at least bootstrap.servers
            .dataSource(dataSource)
            .guard(Guard.inbox().and(Guard.aggregateVersion()))
            .on(
                "OrderCreated",
                OrderCreated.class,
                (order, event, tx) -> reserve(tx.connection(), order))
            .build();
    return consumer;
  }

  private record OrderCreated(String sku, int quantity) {}

  private static void reserve(Connection connection, OrderCreated order) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE stock SET reserved = reserved + ? WHERE sku = ?")) {
      update.setInt(1, order.quantity());
      update.setString(2, order.sku());
      assertThat(update.executeUpdate()).isEqualTo(1);
    }
  }

  private static int reserved(Database inventory) throws SQLException {
    try (Connection connection = inventory.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT reserved FROM stock")) {
      row.next();
      return row.getInt(1);
    }
  }

  private static HikariDataSource pool(Database database) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(database.jdbcUrl());
    pool.setUsername(database.user());
    pool.setPassword(database.password());
    pool.setMaximumPoolSize(5);
    return pool;
  }

  private static List<String> snippets(String language) throws IOException {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(README))
        .results()
        .map(result -> result.group(1))
        .toList();
  }

  private static String withoutBlanks(String text) {
    return text.replaceAll("\\s+", "");
  }
}
