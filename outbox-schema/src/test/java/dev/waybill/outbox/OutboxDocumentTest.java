package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.OutboxEvent;
import dev.waybill.servers.Database;
import dev.waybill.servers.MySqlServer;
import dev.waybill.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every snippet of docs/outbox.md, in its order, on real servers. */
class OutboxDocumentTest {

  private static final Path DOCUMENT = Path.of("../docs/outbox.md");
  private static final Path THIS =
      Path.of("src/test/java/dev/waybill/outbox/OutboxDocumentTest.java");

  @ParameterizedTest
  @ValueSource(ints = {14, 18})
  void itsSqlRuns(int version) throws SQLException, IOException {
    try (PostgresServer server = PostgresServer.builder(version).start()) {
      Database database = server.createDatabase();
      for (String sql : snippets("sql")) {
        database.execute(sql);
      }
      if (version >= 18) {
        database.execute(snippets("sql 18").toArray(String[]::new));
      }

      List<String> announced = column(database, "SELECT event_type FROM outbox_event ORDER BY id");
      assertThat(announced).contains("OrderCreated", "OrderShipped", "PurchasePaid");
      assertThat(announced.contains("OrderPaid")).isEqualTo(version >= 18);
      assertThat(column(database, "SELECT event_id FROM outbox_event"))
          .allMatch(id -> id.matches(".{14}7.{4}[89ab].{16}"));
      assertThat(
              column(
                  database,
                  "SELECT abs(extract(epoch FROM now()) * 1000 - ('x' || left(replace("
                      + "event_id, '-', ''), 12))::bit(48)::bigint) < 60000"
                      + " FROM outbox_event WHERE event_type <> 'OrderCreated'"))
          .isNotEmpty()
          .containsOnly("t");
    }
  }

  @Test
  void itsMySqlRuns() throws SQLException, IOException {
    try (MySqlServer server = MySqlServer.builder().start()) {
      Database database = server.createDatabase();
      List<String> snippets = snippets("mysql");
      execute(database, snippets.get(0));
      execute(database, SchemaSql.roles(Dialect.MYSQL));
      for (String sql : snippets.subList(1, snippets.size())) {
        execute(database, sql);
      }

      assertThat(column(database, "SELECT event_type FROM outbox_event ORDER BY id"))
          .containsExactly("OrderCreated", "OrderShipped", "PurchasePaid");
      assertThat(column(database, "SELECT event_id FROM outbox_event"))
          .allMatch(id -> id.matches(".{14}7.{4}[89ab].{16}"));
      assertThat(
              column(
                  database,
                  "SELECT abs(unix_timestamp(utc_timestamp(3)) * 1000 - conv(left(replace("
                      + "event_id, '-', ''), 12), 16, 10)) < 60000"
                      + " FROM outbox_event WHERE event_type <> 'OrderCreated'"))
          .containsExactly("1", "1");
      try (Connection shop = DriverManager.getConnection(database.jdbcUrl(), "shop", "secret")) {
        shop.setAutoCommit(false);
        Outbox.mysql().append(shop, OutboxContract.event("1").json("{}").build());
      }
    }
  }

  private static void execute(Database database, String script) throws SQLException {
    database.execute(SchemaSql.statements(script).toArray(String[]::new));
  }

  @Test
  void itsTablesAreTheOnesInTheJar() throws IOException {
    assertThat(withoutComments(SchemaSql.outbox(Dialect.POSTGRESQL)))
        .isEqualTo(withoutComments(snippets("sql").get(0)));
    assertThat(withoutComments(SchemaSql.outbox(Dialect.MYSQL)))
        .isEqualTo(withoutComments(snippets("mysql").get(0)));
  }

  @Test
  void itsJavaIsTheCodeBelow() throws IOException {
    String source = withoutBlanks(Files.readString(THIS));
    for (String java : snippets("java")) {
      assertThat(source).contains(withoutBlanks(java));
    }
  }

  @Test
  void itsJavaRuns() throws SQLException {
    try (PostgresServer server = PostgresServer.builder(18).start()) {
      Database dataSource = server.createDatabase();
      dataSource.execute(SchemaSql.outbox(Dialect.POSTGRESQL), "CREATE TABLE orders (id text)");
      announce(new Connections(dataSource), new Order("4711"));

      assertThat(
              column(
                  dataSource,
                  "SELECT aggregate_id FROM outbox_event JOIN orders ON aggregate_id = orders.id"))
          .containsExactly("4711");
    }
  }

  private static void announce(Connections dataSource, Order order) throws SQLException {
    Outbox outbox = Outbox.postgresql();

    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      insertOrder(connection, order);
      outbox.append(
          connection,
          OutboxEvent.builder("order", order.id(), "OrderCreated")
              .aggregateVersion(1)
              .json(order.toJson())
              .build());
      connection.commit();
    }
  }

  private static void insertOrder(Connection connection, Order order) throws SQLException {
    try (var insert = connection.prepareStatement("INSERT INTO orders VALUES (?)")) {
      insert.setString(1, order.id());
      insert.executeUpdate();
    }
  }

  private record Order(String id) {
    String toJson() {
      return "{\"id\":\"" + id + "\"}";
    }
  }

  private record Connections(Database database) {
    Connection getConnection() throws SQLException {
      return database.connect();
    }
  }

  private static List<String> snippets(String language) throws IOException {
    List<String> snippets = new ArrayList<>();
    Matcher fenced =
        Pattern.compile("(?s)```" + language + "\n(.*?)```").matcher(Files.readString(DOCUMENT));
    while (fenced.find()) {
      snippets.add(fenced.group(1));
    }
    assertThat(snippets).as(language).isNotEmpty();
    return snippets;
  }

  private static String withoutComments(String sql) {
    return withoutBlanks(sql.replaceAll("(?m)--.*$", ""));
  }

  private static String withoutBlanks(String text) {
    return text.replaceAll("\\s+", "");
  }

  private static List<String> column(Database database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> column = new ArrayList<>();
      while (rows.next()) {
        column.add(rows.getString(1));
      }
      return column;
    }
  }
}
