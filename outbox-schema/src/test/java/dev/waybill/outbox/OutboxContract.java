package dev.waybill.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waybill.event.OutboxEvent;
import dev.waybill.servers.Database;
import dev.waybill.servers.DatabaseServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promise of appending: an event is in the outbox if, and only if, the caller's transaction
 * commits, and it is there as it was given.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class OutboxContract {

  private static final String EMOJI = "😀";

  private final DatabaseServer server;
  private final Dialect dialect;
  private final Outbox outbox;
  private final Database database;

  OutboxContract(DatabaseServer server, Dialect dialect) {
    this.server = server;
    this.dialect = dialect;
    this.outbox = Outbox.builder(dialect).build();
    this.database = server.createDatabase();
  }

  /** Removes every table. */
  abstract void empty(Database database) throws SQLException;

  /** An expression for {@code occurred_at} in UTC. */
  abstract String occurredAt();

  /** An expression for a member of a column that holds an object. */
  abstract String member(String column, String name);

  /** An expression for bytes in hexadecimal digits. */
  abstract String hex(String column);

  /** By which schema's name the table can be qualified. */
  abstract String schema();

  /** What the driver may be told in the URL, as {@code name=value&…}. */
  abstract List<String> driverOptions();

  /** Types of a payload column that holds text. */
  abstract List<String> textualTypes();

  /** The types of an id and of a payload that users of Debezium's router have. */
  abstract String routersTypes();

  /** The first and the last time that the database can hold. */
  abstract List<Instant> times();

  /** They, as the database shows them. */
  abstract List<String> timesShown();

  abstract String duplicateState();

  abstract String violatedCheckState();

  abstract String missingTableState();

  @BeforeEach
  void create() throws SQLException {
    empty(database);
    database.execute(SchemaSql.outbox(dialect), "CREATE TABLE orders (id int)");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void writesEveryColumnAsItWasGiven() throws SQLException {
    OutboxEvent event =
        OutboxEvent.builder("order", "4711", "OrderPaid")
            .eventId("e-1")
            .aggregateVersion(7)
            .eventVersion(2)
            .topic("payments")
            .key("customer-1")
            .json("{\"b\":1, \"a\":199.00}")
            .header("traceparent", "00-abc")
            .header("said", "\"\\\n\u0001é😀")
            .occurredAt(Instant.parse("2026-03-29T02:30:00.123456Z"))
            .build();

    inTransaction(connection -> outbox.append(connection, event));

    assertThat(
            row(
                "SELECT id, event_id, aggregate_type, aggregate_id, aggregate_version, event_type,"
                    + " event_version, topic, event_key, payload, headers, %s, %s FROM outbox_event"
                        .formatted(member("headers", "said"), occurredAt())))
        .containsExactly(
            "1",
            "e-1",
            "order",
            "4711",
            "7",
            "OrderPaid",
            "2",
            "payments",
            "customer-1",
            "{\"b\":1, \"a\":199.00}",
            "{\"traceparent\": \"00-abc\", \"said\": \"\\\"\\\\\\u000a\\u0001é😀\"}",
            "\"\\\n\u0001é😀",
            "2026-03-29 02:30:00.123456");
  }

  @Test
  void writesNullForWhatAnEventLacks() throws SQLException {
    inTransaction(connection -> outbox.append(connection, event("1").build()));

    assertThat(
            row(
                "SELECT aggregate_version, event_version, topic, event_key, payload, headers"
                    + " FROM outbox_event"))
        .containsExactly("null", "1", "null", "null", "null", "null");
  }

  @Test
  void aRollbackTakesBothRows() throws SQLException {
    try (Connection connection = transaction(database)) {
      execute(connection, "INSERT INTO orders VALUES (1)");
      outbox.append(connection, event("1").build());
      connection.rollback();
    }

    assertThat(row("SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM outbox_event)"))
        .containsExactly("0", "0");
  }

  @Test
  void c17_aRollbackToASavepointTakesWhatCameAfterIt() throws SQLException {
    inTransaction(
        connection -> {
          outbox.append(connection, event("kept").build());
          Savepoint savepoint = connection.setSavepoint();
          outbox.append(connection, event("gone").build());
          connection.rollback(savepoint);
          outbox.append(connection, event("kept too").build());
        });

    assertThat(column("SELECT aggregate_id FROM outbox_event ORDER BY id"))
        .containsExactly("kept", "kept too");
  }

  @Test
  void doesNotCommitAndLeavesTheConnectionAsItWas() throws SQLException {
    try (Connection connection = transaction(database)) {
      outbox.append(connection, event("1").build());

      assertThat(row("SELECT count(*) FROM outbox_event")).containsExactly("0");
      assertThat(connection.getAutoCommit()).isFalse();
      assertThat(connection.isClosed()).isFalse();
      connection.commit();
    }
    assertThat(row("SELECT count(*) FROM outbox_event")).containsExactly("1");
  }

  @Test
  void refusesAutoCommit() throws SQLException {
    try (Connection connection = database.connect()) {
      assertThatIllegalStateException()
          .isThrownBy(() -> outbox.append(connection, event("1").build()))
          .withMessageContaining("auto-commit")
          .withMessageContaining("outbox_event");
    }
    assertThat(row("SELECT count(*) FROM outbox_event")).containsExactly("0");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 127, 128, 129, 256, 300, 10_000})
  void manyEventsKeepTheirOrder(int count) throws SQLException {
    inTransaction(connection -> outbox.append(connection, events(count)));

    assertThat(column("SELECT aggregate_id FROM outbox_event ORDER BY id"))
        .containsExactlyElementsOf(IntStream.range(0, count).mapToObj(String::valueOf).toList());
  }

  @ParameterizedTest
  @MethodSource("driverOptions")
  void theDriverMayBeSetUpInManyWays(String options) throws SQLException {
    List<OutboxEvent> events = new ArrayList<>(events(1_000));
    events.add(
        event("last")
            .key("é'\"\\")
            .occurredAt(Instant.parse("2026-03-29T02:30:00.123456Z"))
            .build());
    try (Connection connection = transaction(options)) {
      outbox.append(connection, events);
      connection.commit();
    }

    assertThat(column("SELECT aggregate_id FROM outbox_event ORDER BY id"))
        .containsExactlyElementsOf(events.stream().map(OutboxEvent::aggregateId).toList());
    assertThat(
            row(
                "SELECT event_key, %s FROM outbox_event WHERE aggregate_id = 'last'"
                    .formatted(occurredAt())))
        .containsExactly("é'\"\\", "2026-03-29 02:30:00.123456");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"b\":1,\"a\":12345678901234567890123,\"a\":2.50,\"c\":1e3,\"d\":1.10,\"f\":-0.0}",
        "{\"price\": 199.00,\"price\":199}",
        "  [ 18446744073709551616 , 9007199254740993 ]  ",
        "{}",
        "null",
        "\"text\"",
        "{\"zero\":\"\\u0000\",\"half\":\"\\udc00\",\"tab\":\"\\t\",\"quote\":\"\\\"é'😀\"}"
      })
  void c03_keepsTheTextOfJsonCharacterByCharacter(String json) throws SQLException {
    inTransaction(connection -> outbox.append(connection, event("1").json(json).build()));

    assertThat(row("SELECT payload FROM outbox_event")).containsExactly(json);
  }

  @Test
  void c58_everythingThatAnEventMayBeFits() throws SQLException {
    OutboxEvent largest =
        OutboxEvent.builder("o".repeat(64), EMOJI.repeat(255), EMOJI.repeat(128))
            .eventId(EMOJI.repeat(64))
            .key(EMOJI.repeat(255))
            .topic("t".repeat(249))
            .aggregateVersion(Long.MAX_VALUE)
            .eventVersion(Integer.MAX_VALUE)
            .json("[\"" + "x".repeat(5_000_000) + "\"]")
            .header("h".repeat(1_000), EMOJI.repeat(10_000))
            .occurredAt(times().get(1))
            .build();
    OutboxEvent oldest = event("old").occurredAt(times().get(0)).json("1").build();

    inTransaction(connection -> outbox.append(connection, largest, oldest));

    assertThat(
            row(
                "SELECT char_length(event_id), char_length(aggregate_id), char_length(event_type),"
                    + " char_length(event_key), char_length(topic) FROM outbox_event WHERE id = 1"))
        .containsExactly("64", "255", "128", "255", "249");
    assertThat(column("SELECT payload FROM outbox_event ORDER BY id").get(0)).hasSize(5_000_004);
    assertThat(column("SELECT %s FROM outbox_event ORDER BY id DESC".formatted(occurredAt())))
        .containsExactlyElementsOf(timesShown());
  }

  @Test
  void aDuplicateIdIsNamedAndKeepsItsState() throws SQLException {
    inTransaction(connection -> outbox.append(connection, event("1").eventId("twice").build()));
    List<OutboxEvent> events = new ArrayList<>(events(200));
    events.add(77, event("77").eventId("twice").build());

    try (Connection connection = transaction(database)) {
      SQLException e =
          catchThrowableOfType(SQLException.class, () -> outbox.append(connection, events));

      assertThat(e.getSQLState()).isEqualTo(duplicateState());
      assertThat(e.getMessage())
          .startsWith("Event twice (OrderPaid of order 77) was not appended to outbox_event")
          .contains("rolled back");
      connection.commit();
    }
    assertThat(row("SELECT count(*) FROM outbox_event")).containsExactly("1");
  }

  @Test
  void whatFailsLaterTakesWhatWentBefore() throws SQLException {
    inTransaction(connection -> outbox.append(connection, event("1").eventId("twice").build()));
    List<OutboxEvent> events = new ArrayList<>(events(300));
    events.add(event("last").eventId("twice").build());

    try (Connection connection = transaction(database)) {
      assertThatThrownBy(() -> outbox.append(connection, events))
          .isInstanceOf(SQLException.class)
          .hasMessageStartingWith("Event twice (OrderPaid of order last) was not appended");
      connection.commit();
    }
    assertThat(row("SELECT count(*) FROM outbox_event")).containsExactly("1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"e12", "e-1", "e1 2"})
  void anEventIsNotBlamedForAnIdThatIsPartOfAnothers(String twice) throws SQLException {
    inTransaction(connection -> outbox.append(connection, event("0").eventId(twice).build()));
    List<OutboxEvent> events = new ArrayList<>();
    for (String id : List.of("e", "1", "e1", "12", "2", twice, "e123")) {
      events.add(event(id).eventId(id).build());
    }

    try (Connection connection = transaction(database)) {
      SQLException e =
          catchThrowableOfType(SQLException.class, () -> outbox.append(connection, events));

      assertThat(e.getMessage()).startsWith("Event " + twice + " (");
    }
  }

  @Test
  void nobodyIsBlamedWhenSeveralIdsAreQuoted() throws SQLException {
    database.execute("ALTER TABLE outbox_event ADD CHECK (aggregate_id <> 'e2')");
    try (Connection connection = transaction(database)) {
      SQLException e =
          catchThrowableOfType(
              SQLException.class,
              () ->
                  outbox.append(
                      connection,
                      event("e2").eventId("e1").build(),
                      event("other").eventId("e2").build()));

      assertThat(e.getSQLState()).isEqualTo(violatedCheckState());
      assertThat(e.getMessage()).startsWith("2 events from e1 (").contains(" to e2 (");
    }
  }

  @Test
  void whatTheServerSaysOfNoEventIsSaidOfAllOfThem() throws SQLException {
    database.execute("DROP TABLE outbox_event");
    try (Connection connection = transaction(database)) {
      SQLException e =
          catchThrowableOfType(SQLException.class, () -> outbox.append(connection, events(3)));

      assertThat(e.getSQLState()).isEqualTo(missingTableState());
      assertThat(e.getMessage())
          .matches("(?s)3 events from .* of order 0\\) to .* of order 2\\) were .*");
    }
  }

  @Test
  void takesBinaryPayloadsWhereTheColumnIsBinary() throws SQLException {
    database.execute("DROP TABLE outbox_event", SchemaSql.outboxBinary(dialect));
    Outbox binary = Outbox.builder(dialect).payloadColumn(PayloadColumn.BINARY).build();

    inTransaction(
        connection ->
            binary.append(
                connection,
                event("1").binary(new byte[] {0, -1, 127}).build(),
                event("2").binary(new byte[0]).build(),
                event("3").json("{\"é\":1}").build(),
                event("4").build()));

    assertThat(column("SELECT %s FROM outbox_event ORDER BY id".formatted(hex("payload"))))
        .containsExactly("00ff7f", "", hexDigits("{\"é\":1}"), "null");
  }

  @Test
  void refusesBinaryPayloadsWhereTheColumnIsText() throws SQLException {
    try (Connection connection = transaction(database)) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  outbox.append(
                      connection, event("1").build(), event("2").binary(new byte[1]).build()))
          .withMessageContaining("(OrderPaid of order 2) has a binary payload");
      connection.commit();
    }
    assertThat(row("SELECT count(*) FROM outbox_event")).containsExactly("0");
  }

  @ParameterizedTest
  @MethodSource("textualTypes")
  void takesATableOfOtherNamesAndAnyTextualPayload(String type) throws SQLException {
    String key = dialect.quoted("key");
    String id = dialect.quoted("Id");
    database.execute(
        "CREATE TABLE shop_outbox (%s varchar(64), %s varchar(64), kind varchar(64), ref varchar(64), what varchar(64), body %s)"
            .formatted(key, id, type));
    OutboxLayout layout =
        new OutboxLayout(schema() + ".shop_outbox", OutboxLayout.DEBEZIUM.columns())
            .withColumn(OutboxColumn.EVENT_ID, "Id")
            .withColumn(OutboxColumn.AGGREGATE_TYPE, "kind")
            .withColumn(OutboxColumn.AGGREGATE_ID, "ref")
            .withColumn(OutboxColumn.EVENT_TYPE, "what")
            .withColumn(OutboxColumn.EVENT_KEY, "key")
            .withColumn(OutboxColumn.PAYLOAD, "body");
    Outbox other = Outbox.builder(dialect).layout(layout).build();

    inTransaction(
        connection ->
            other.append(
                connection, event("1").eventId("e1").key("k").json("{\"a\": 110}").build()));

    assertThat(row("SELECT %s, %s, kind, ref, what, body FROM shop_outbox".formatted(key, id)))
        .containsExactly("k", "e1", "order", "1", "OrderPaid", "{\"a\": 110}");
  }

  @Test
  void takesTheTableOfDebeziumsRouter() throws SQLException {
    database.execute(
        "CREATE TABLE outboxevent (aggregatetype varchar(255) NOT NULL,"
            + " aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, "
            + routersTypes()
            + ")");
    Outbox debezium = Outbox.builder(dialect).layout(OutboxLayout.DEBEZIUM).build();
    OutboxEvent event = event("1").json("{}").build();

    inTransaction(connection -> debezium.append(connection, event));

    assertThat(row("SELECT id, aggregatetype, aggregateid, type, payload FROM outboxevent"))
        .containsExactly(event.eventId(), "order", "1", "OrderPaid", "{}");
  }

  @Test
  void refusesWhatALayoutHasNoColumnFor() throws SQLException {
    Outbox debezium = Outbox.builder(dialect).layout(OutboxLayout.DEBEZIUM).build();
    try (Connection connection = transaction(database)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> debezium.append(connection, event("1").header("a", "b").build()))
          .withMessageContaining("has a headers, and there is no column for it in outboxevent");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> debezium.append(connection, event("1").aggregateVersion(1).build()))
          .withMessageContaining("aggregate_version");
    }
  }

  interface Work {
    void in(Connection connection) throws SQLException;
  }

  final Dialect dialect() {
    return dialect;
  }

  final Database database() {
    return database;
  }

  final void inTransaction(Work work) throws SQLException {
    try (Connection connection = transaction(database)) {
      work.in(connection);
      connection.commit();
    }
  }

  /** On a connection with options of the driver. */
  final Connection transaction(String options) throws SQLException {
    Connection connection =
        DriverManager.getConnection(
            database.jdbcUrl() + "?" + options, database.user(), database.password());
    connection.setAutoCommit(false);
    return connection;
  }

  static Connection transaction(Database database) throws SQLException {
    Connection connection = database.connect();
    connection.setAutoCommit(false);
    return connection;
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static OutboxEvent.Builder event(String aggregateId) {
    return OutboxEvent.builder("order", aggregateId, "OrderPaid");
  }

  static List<OutboxEvent> events(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> event(String.valueOf(i)).json("{\"i\":" + i + "}").build())
        .toList();
  }

  private static String hexDigits(String text) {
    StringBuilder hex = new StringBuilder();
    for (byte b : text.getBytes(UTF_8)) {
      hex.append("%02x".formatted(b));
    }
    return hex.toString();
  }

  /** The columns of the one row, as text. */
  final List<String> row(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> row = new ArrayList<>();
      rows.next();
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        row.add(String.valueOf(rows.getString(i)));
      }
      assertThat(rows.next()).isFalse();
      return row;
    }
  }

  final List<String> column(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> column = new ArrayList<>();
      while (rows.next()) {
        column.add(String.valueOf(rows.getString(1)));
      }
      return column;
    }
  }
}
