package dev.waybill.consumer;

import static dev.waybill.consumer.Events.event;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.consumer.guard.GapPolicy;
import dev.waybill.consumer.guard.GroupGuard;
import dev.waybill.consumer.guard.Guard;
import dev.waybill.consumer.guard.OneTransaction;
import dev.waybill.consumer.guard.Verdict;
import dev.waybill.consumer.handle.Outcome;
import dev.waybill.consumer.handle.RetryPolicy;
import dev.waybill.event.Event;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.servers.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every snippet of docs/consumer.md, on real servers. */
class ConsumerDocumentTest {

  private static final Path DOCUMENT = Path.of("../docs/consumer.md");
  private static final Path THIS =
      Path.of("src/test/java/dev/waybill/consumer/ConsumerDocumentTest.java");

  private static final List<String> ALARMS = new CopyOnWriteArrayList<>();

  private TestBed bed;

  @BeforeEach
  void open() throws SQLException {
    bed = TestBed.open(1);
    bed.database()
        .execute(
            "CREATE TABLE stock (sku text PRIMARY KEY, reserved int NOT NULL)",
            "INSERT INTO stock VALUES ('apple', 0)",
            "CREATE TABLE journal (n bigint GENERATED ALWAYS AS IDENTITY, what text)",
            "CREATE TABLE mail_to_send (event_id text, address text)");
  }

  @AfterEach
  void close() {
    bed.close();
  }

  @Test
  void itsJavaIsTheCodeBelow() throws IOException {
    String source = withoutBlanks(Files.readString(THIS));
    List<String> snippets = snippets();
    assertThat(snippets).hasSize(5);
    for (String java : snippets) {
      assertThat(source).contains(withoutBlanks(java));
    }
  }

  @Test
  void itsServiceIsUnder30LinesAndReservesOnce() throws IOException {
    assertThat(snippets().get(0).lines()).hasSizeLessThan(30);
    bed.createTopicIfMissing("events.order");
    Event order = order("e-" + bed.topic(), "OrderCreated");
    bed.publish("events.order", 0, order);
    bed.publish("events.order", 0, order);
    try (EventConsumer service = inventory(bed.kafka(), bed.dataSource())) {
      service.start();
      await().atMost(TestBed.PATIENCE).until(() -> bed.count("SELECT reserved FROM stock") == 3);
    }
    assertThat(bed.count("SELECT reserved FROM stock")).isEqualTo(3);
  }

  @Test
  void itsHandlersTakeWhatTheySay() {
    bed.publishTo(
        0,
        order("e1", "OrderCreated"),
        order("e2", "OrderCancelled"),
        order("e3", "PaymentReceived"),
        order("e4", "SomethingElse"));
    bed.start(handlers(bed.consumer("billing")));
    bed.awaitCommitted("billing", 0, 4);
    assertThat(bed.count("SELECT reserved FROM stock")).isEqualTo(3);
    for (String line : List.of("released a", "booked PaymentReceived", "noted e4")) {
      assertThat(bed.count("SELECT count(*) FROM journal WHERE what = '" + line + "'"))
          .as(line)
          .isEqualTo(1);
    }
  }

  @Test
  void itsStandAloneGuardLetsAnEventThroughOnce() throws SQLException {
    try (Connection connection = bed.database().connect()) {
      assertThat(handleOnce(connection, order("e1", "OrderPaid"))).isTrue();
      assertThat(handleOnce(connection, order("e1", "OrderPaid"))).isFalse();
    }
    assertThat(bed.count("SELECT count(*) FROM journal")).isEqualTo(1);
  }

  @Test
  void itsGrantsAreEnoughOnMySql() throws Exception {
    Database shop = TestDatabase.MYSQL.create("shop");
    shop.execute("CREATE USER 'inventory'@'%' IDENTIFIED BY 'secret'");
    shop.execute(SchemaSql.statements(snippets("sql").get(0)).toArray(String[]::new));
    GroupGuard guard = Guard.inbox().and(Guard.aggregateVersion()).forGroup("inventory-service");
    try (HikariDataSource pool =
        TestBed.pool(new Database(shop.name(), shop.jdbcUrl(), "inventory", "secret"))) {
      OneTransaction transaction = new OneTransaction(pool);
      Event first = event("v1", "OrderPaid", "a", 1L);
      assertThat(transaction.run(guard, first, tx -> {})).isInstanceOf(Verdict.Admitted.class);
      assertThat(transaction.run(guard, first, tx -> {})).isEqualTo(new Verdict.Duplicate());
      Event third = event("v3", "OrderPaid", "a", 3L);
      assertThat(transaction.run(guard, third, tx -> {})).isInstanceOf(Verdict.Gap.class);
      transaction.keepPlace(guard, third);
    }
  }

  @Test
  void itsListenerRaisesTheAlarm() {
    bed.publishTo(0, Events.withPayload("e1", "OrderCreated", "a", null, "{".getBytes(UTF_8)));
    bed.start(patience(handlers(bed.consumer("billing"))));
    await().atMost(TestBed.PATIENCE).until(() -> ALARMS.size() == 1);
    assertThat(ALARMS.get(0)).contains("event e1 (OrderCreated) at offset 0", "was parked");
  }

  @Test
  void itsIntentionIsWrittenOnce() {
    bed.publishTo(0, order("e1", "OrderPaid"), order("e1", "OrderPaid"));
    bed.start(
        bed.consumer("billing")
            .onAny((event, tx) -> intend(tx.connection(), event.id(), "a@example.org")));
    bed.awaitCommitted("billing", 0, 2);
    assertThat(bed.count("SELECT count(*) FROM mail_to_send")).isEqualTo(1);
  }

  @Test
  void itsGapPoliciesAreAll() throws IOException {
    String document = Files.readString(DOCUMENT);
    for (GapPolicy policy : GapPolicy.values()) {
      assertThat(document).contains("GapPolicy." + policy);
    }
  }

  record OrderCreated(String sku, int quantity) {}

  static EventConsumer inventory(Map<String, Object> kafka, DataSource dataSource) {
    return EventConsumer.builder("inventory-service")
        .topics("events.order")
        .kafka(kafka)
        .dataSource(dataSource)
        .guard(Guard.inbox().and(Guard.aggregateVersion()))
        .on(
            "OrderCreated",
            OrderCreated.class,
            (order, event, tx) -> reserve(tx.connection(), order))
        .build();
  }

  static void reserve(Connection connection, OrderCreated order) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE stock SET reserved = reserved + ? WHERE sku = ?")) {
      update.setInt(1, order.quantity());
      update.setString(2, order.sku());
      if (update.executeUpdate() != 1) {
        throw new IllegalStateException("There is no product " + order.sku());
      }
    }
  }

  static EventConsumer.Builder handlers(EventConsumer.Builder builder) {
    return builder
        .on(
            "OrderCreated",
            OrderCreated.class,
            (order, event, tx) -> reserve(tx.connection(), order))
        .on("OrderCancelled", (event, tx) -> release(tx.connection(), event.aggregateId()))
        .on("Payment*", (event, tx) -> book(tx.connection(), event.type(), event.payload()))
        .onAny((event, tx) -> note(tx.connection(), event.id()));
  }

  static boolean handleOnce(Connection connection, Event event) throws SQLException {
    GroupGuard guard = Guard.inbox().forGroup("inventory-service");
    connection.setAutoCommit(false);
    Verdict verdict = guard.once(connection, event, () -> note(connection, event.id()));
    connection.commit();
    return verdict instanceof Verdict.Admitted;
  }

  static EventConsumer.Builder patience(EventConsumer.Builder builder) {
    return builder
        .retry(RetryPolicy.after(Duration.ofMillis(200), Duration.ofSeconds(2)).withJitter(0.5))
        .listener(
            new ConsumerListener() {
              @Override
              public void parked(Delivery delivery, Outcome.Parked outcome) {
                alarm(delivery + " was parked: " + outcome.sentence());
              }
            });
  }

  static void intend(Connection connection, String eventId, String address) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO mail_to_send (event_id, address) VALUES (?, ?)")) {
      insert.setString(1, eventId);
      insert.setString(2, address);
      insert.executeUpdate();
    }
  }

  private static void release(Connection connection, @Nullable String order) throws SQLException {
    journal(connection, "released " + order);
  }

  private static void book(Connection connection, @Nullable String type, byte @Nullable [] payload)
      throws SQLException {
    journal(connection, (payload == null ? "not booked " : "booked ") + type);
  }

  private static void note(Connection connection, String id) throws SQLException {
    journal(connection, "noted " + id);
  }

  private static void journal(Connection connection, String what) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO journal (what) VALUES (?)")) {
      insert.setString(1, what);
      insert.executeUpdate();
    }
  }

  private static void alarm(String text) {
    ALARMS.add(text);
  }

  private static Event order(String id, String type) {
    return Events.withPayload(
        id, type, "a", null, "{\"sku\":\"apple\",\"quantity\":3}".getBytes(UTF_8));
  }

  private static List<String> snippets() throws IOException {
    return snippets("java");
  }

  private static List<String> snippets(String language) throws IOException {
    List<String> snippets = new ArrayList<>();
    Matcher matcher =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(DOCUMENT));
    while (matcher.find()) {
      snippets.add(matcher.group(1));
    }
    return snippets;
  }

  private static String withoutBlanks(String text) {
    return text.replaceAll("\\s+", "");
  }
}
