package dev.waybill.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
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
                    + " event_version, topic, event_key, payload, headers, headers ->> 'said',"
                    + " occurred_at AT TIME ZONE 'UTC' FROM outbox_event"))
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

  @Test
  void theDriverMayRewriteBatches() throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(
            database.jdbcUrl() + "?reWriteBatchedInserts=true",
            database.user(),
            database.password())) {
      connection.setAutoCommit(false);
      outbox.append(connection, events(1_000));
      connection.commit();
    }

    assertThat(column("SELECT aggregate_id FROM outbox_event ORDER BY id"))
        .containsExactlyElementsOf(IntStream.range(0, 1_000).mapToObj(String::valueOf).toList());
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
        "{\"zero\":\"\\u0000\",\"half\":\"\\ud83d\",\"tab\":\"\\t\",\"quote\":\"\\\"é'😀\"}"
      })
  void c03_keepsTheTextOfJsonCharacterByCharacter(String json) throws SQLException {
    inTransaction(connection -> outbox.append(connection, event("1").json(json).build()));

    assertThat(row("SELECT payload::text FROM outbox_event")).containsExactly(json);
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
            .occurredAt(Instant.parse("+294276-12-31T23:59:59.999999Z"))
            .build();
    OutboxEvent oldest =
        event("old").occurredAt(Instant.parse("-4712-01-01T00:00:00Z")).json("1").build();

    inTransaction(connection -> outbox.append(connection, largest, oldest));

    assertThat(
            row(
                "SELECT char_length(event_id), char_length(aggregate_id), char_length(event_type),"
                    + " char_length(event_key), octet_length(payload::text),"
                    + " extract(year FROM occurred_at) FROM outbox_event WHERE id = 1"))
        .containsExactly("64", "255", "128", "255", "5000004", "294276");
    assertThat(row("SELECT occurred_at AT TIME ZONE 'UTC' FROM outbox_event WHERE id = 2"))
        .containsExactly("4713-01-01 00:00:00 BC");
  }

  @Test
  void aDuplicateIdIsNamedAndKeepsItsState() throws SQLException {
    inTransaction(connection -> outbox.append(connection, event("1").eventId("twice").build()));
    List<OutboxEvent> events = new ArrayList<>(events(200));
    events.add(77, event("77").eventId("twice").build());

    try (Connection connection = transaction(database)) {
      SQLException e =
          catchThrowableOfType(SQLException.class, () -> outbox.append(connection, events));

      assertThat(e.getSQLState()).isEqualTo("23505");
      assertThat(e.getMessage())
          .startsWith("Event twice (OrderPaid of order 77) was not appended to outbox_event")
          .contains("rolled back");
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

      assertThat(e.getSQLState()).isEqualTo("23514");
      assertThat(e.getMessage()).startsWith("2 events from e1 (").contains(" to e2 (");
    }
  }

  @Test
  void whatTheServerSaysOfNoEventIsSaidOfAllOfThem() throws SQLException {
    database.execute("DROP TABLE outbox_event");
    try (Connection connection = transaction(database)) {
      SQLException e =
          catchThrowableOfType(SQLException.class, () -> outbox.append(connection, events(3)));

      assertThat(e.getSQLState()).isEqualTo("42P01");
      assertThat(e.getMessage())
          .matches("(?s)3 events from .* of order 0\\) to .* of order 2\\) were .*");
    }
  }

  @Test
  void noticesThatATriggerDropsRows() throws SQLException {
    database.execute(
        "CREATE FUNCTION drop_it() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        "CREATE TRIGGER t BEFORE INSERT ON outbox_event FOR EACH ROW EXECUTE FUNCTION drop_it()");
    try (Connection connection = transaction(database)) {
      SQLException e =
          catchThrowableOfType(
              SQLException.class, () -> outbox.append(connection, event("1").build()));

      assertThat(e.getMessage()).contains("0 rows were inserted instead of 1");
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

    assertThat(column("SELECT encode(payload, 'hex') FROM outbox_event ORDER BY id"))
        .containsExactly("00ff7f", "", hex("{\"é\":1}"), "null");
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
  @ValueSource(strings = {"json", "jsonb", "text"})
  void takesATableOfOtherNamesAndAnyTextualPayload(String type) throws SQLException {
    database.execute(
        "CREATE TABLE shop_outbox (\"key\" text, \"Id\" text, kind text, ref text, what text,"
            + " body "
            + type
            + ")");
    OutboxLayout layout =
        new OutboxLayout("public.shop_outbox", OutboxLayout.DEBEZIUM.columns())
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
                connection, event("1").eventId("e1").key("k").json("{\"a\": 1.10}").build()));

    assertThat(row("SELECT \"key\", \"Id\", kind, ref, what, body::text FROM shop_outbox"))
        .containsExactly("k", "e1", "order", "1", "OrderPaid", "{\"a\": 1.10}");
  }

  @Test
  void takesTheTableOfDebeziumsRouter() throws SQLException {
    database.execute(
        "CREATE TABLE outboxevent (id uuid PRIMARY KEY, aggregatetype varchar(255) NOT NULL,"
            + " aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, payload jsonb)");
    Outbox debezium = Outbox.builder(dialect).layout(OutboxLayout.DEBEZIUM).build();
    OutboxEvent event = event("1").json("{}").build();

    inTransaction(connection -> debezium.append(connection, event));

    assertThat(row("SELECT * FROM outboxevent"))
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

  final Database database() {
    return database;
  }

  private void inTransaction(Work work) throws SQLException {
    try (Connection connection = transaction(database)) {
      work.in(connection);
      connection.commit();
    }
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

  private static List<OutboxEvent> events(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> event(String.valueOf(i)).json("{\"i\":" + i + "}").build())
        .toList();
  }

  private static String hex(String text) {
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

  private List<String> column(String sql) throws SQLException {
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
