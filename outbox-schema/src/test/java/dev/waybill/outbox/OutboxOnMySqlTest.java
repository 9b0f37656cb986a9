package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waybill.event.OutboxEvent;
import dev.waybill.servers.Database;
import dev.waybill.servers.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the SQL in the jar makes of a MySQL database, beside the promise of appending. */
class OutboxOnMySqlTest extends OutboxContract {

  private static final int CHECK_VIOLATED = 3819;
  private static final int TOO_LONG = 1406;

  private static final Outbox OUTBOX = Outbox.mysql();

  OutboxOnMySqlTest() {
    super(MySqlServer.builder().setting("max_allowed_packet", "64M").start(), Dialect.MYSQL);
  }

  @Override
  void empty(Database database) throws SQLException {
    String name = dialect().quoted(database.name());
    database.execute("DROP DATABASE " + name, "CREATE DATABASE " + name);
  }

  @Override
  String occurredAt() {
    return "occurred_at";
  }

  @Override
  String member(String column, String name) {
    return column + " ->> '$." + name + "'";
  }

  @Override
  String hex(String column) {
    return "lower(hex(" + column + "))";
  }

  @Override
  String schema() {
    return database().name();
  }

  @Override
  List<String> driverOptions() {
    return List.of(
        "rewriteBatchedStatements=false&useAffectedRows=false",
        "rewriteBatchedStatements=true&useAffectedRows=false",
        "rewriteBatchedStatements=false&useAffectedRows=true",
        "rewriteBatchedStatements=true&useAffectedRows=true",
        "useServerPrepStmts=true",
        "sendFractionalSeconds=false",
        "connectionTimeZone=America/New_York",
        "connectionTimeZone=%2B05:30&forceConnectionTimeZoneToSession=true",
        "characterEncoding=ISO-8859-1",
        "sessionVariables=sql_mode='ANSI_QUOTES,NO_BACKSLASH_ESCAPES'",
        "jdbcCompliantTruncation=false&sessionVariables=sql_mode=''");
  }

  @Override
  List<String> textualTypes() {
    return List.of("json", "longtext", "text");
  }

  @Override
  String routersTypes() {
    return "id char(36) PRIMARY KEY, payload json";
  }

  @Override
  List<Instant> times() {
    return List.of(
        Instant.parse("0000-01-01T00:00:00Z"), Instant.parse("9999-12-31T23:59:59.999999Z"));
  }

  @Override
  List<String> timesShown() {
    return List.of("0000-01-01 00:00:00", "9999-12-31 23:59:59.999999");
  }

  @Override
  String duplicateState() {
    return "23000";
  }

  @Override
  String violatedCheckState() {
    return "HY000";
  }

  @Override
  String missingTableState() {
    return "42S02";
  }

  @Test
  void plainSqlNeedsFiveColumns() throws SQLException {
    database()
        .execute(
            "SET time_zone = '+05:00'",
            "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)"
                + " VALUES ('e1', 'order', '1', 'OrderPaid', '{}')");

    assertThat(
            row(
                "SELECT id, event_version, headers,"
                    + " abs(timestampdiff(SECOND, occurred_at, utc_timestamp())) < 60"
                    + " FROM outbox_event"))
        .containsExactly("1", "1", "null", "1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'', 'order', '1', 'T', 1, 1, NULL, '{}'",
        "'e', '', '1', 'T', 1, 1, NULL, '{}'",
        "'e', 'order', '', 'T', 1, 1, NULL, '{}'",
        "'e', 'order', '1', '', 1, 1, NULL, '{}'",
        "'e', 'order', '1', 'T', 0, 1, NULL, '{}'",
        "'e', 'order', '1', 'T', 1, 0, NULL, '{}'",
        "'e', 'order', '1', 'T', 1, 1, '{', '{}'",
        "'e', 'order', '1', 'T', 1, 1, '', '{}'",
        "'e', 'order', '1', 'T', 1, 1, NULL, '[]'",
        "'e', 'order', '1', 'T', 1, 1, NULL, 'null'",
        "'e', 'order', '1', 'T', 1, 1, NULL, '{'",
      })
  void plainSqlIsCheckedByTheTable(String values) {
    assertThat(
            codeOf(
                null,
                "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type,"
                    + " aggregate_version, event_version, payload, headers) VALUES ("
                    + values
                    + ")"))
        .isEqualTo(CHECK_VIOLATED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "binlog_format = 'STATEMENT'",
        "binlog_format = 'MIXED'",
        "binlog_row_image = 'MINIMAL'",
        "binlog_row_image = 'NOBLOB'",
        "sql_log_bin = OFF"
      })
  void rowsThatTheLogWouldNotShowAreRefused(String setting) throws SQLException {
    database().execute(SchemaSql.statements(SchemaSql.wholeRows()).toArray(String[]::new));
    try (Connection connection = transaction(database())) {
      OUTBOX.append(connection, event("1").build());
      connection.commit();
      execute(connection, "SET SESSION " + setting);

      assertThatThrownBy(() -> OUTBOX.append(connection, event("2").build()))
          .hasMessageContaining("does not log whole rows");
      connection.commit();
    }
    assertThat(column("SELECT aggregate_id FROM outbox_event")).containsExactly("1");
  }

  @Test
  void applicationsMayNotChangeHowTheyLog() throws SQLException {
    makeRoles();

    for (String setting : List.of("binlog_format = 'STATEMENT'", "sql_log_bin = OFF")) {
      assertThat(codeOf("waybill_writer", "SET SESSION " + setting)).isEqualTo(1227);
    }
  }

  @Test
  void c59_idsDifferInCaseAccentsAndBlanks() throws SQLException {
    List<String> ids = List.of("e", "E", "é", "e\u0301", "e ", " ", "ｅ");
    inTransaction(
        connection ->
            OUTBOX.append(
                connection, ids.stream().map(id -> event(id).eventId(id).build()).toList()));

    assertThat(column("SELECT event_id FROM outbox_event ORDER BY id"))
        .containsExactlyElementsOf(ids);
    for (String id : ids) {
      assertThat(row("SELECT aggregate_id FROM outbox_event WHERE event_id = '" + id + "'"))
          .containsExactly(id);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1, 2e400]          | a number that is too large at index 4",
        "{\"a\":\"\\ud83d\"} | half of a surrogate pair at index 6",
      })
  void refusesInJavaWhatMySqlsJsonRefuses(String json, String why) throws SQLException {
    refuses(event("2").json(json).build(), why);
  }

  @Test
  void refusesInJavaWhatIsNestedTooDeeply() throws SQLException {
    inTransaction(connection -> OUTBOX.append(connection, event("1").json(nested(100)).build()));

    assertThat(row("SELECT payload FROM outbox_event")).containsExactly(nested(100));
    database().execute("DELETE FROM outbox_event");
    refuses(event("2").json(nested(101)).build(), "more than 100 levels at index 100");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-0001-12-31T23:59:59.999999Z", "+10000-01-01T00:00:00Z"})
  void refusesInJavaWhatDatetimeCannotHold(String time) throws SQLException {
    refuses(
        event("2").occurredAt(Instant.parse(time)).build(), "DATETIME holds the years 0 to 9999");
  }

  private void refuses(OutboxEvent event, String why) throws SQLException {
    try (Connection connection = transaction(database())) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> OUTBOX.append(connection, event("1").build(), event))
          .withMessageContaining("(OrderPaid of order 2) has ")
          .withMessageContaining(why);
      connection.commit();
    }
    assertThat(row("SELECT count(*) FROM outbox_event")).containsExactly("0");
  }

  private static String nested(int levels) {
    return "[".repeat(levels) + "]".repeat(levels);
  }

  /** C01: the driver would put a question mark for what the connection's charset does not have. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void c01_charactersBeyondTheConnectionsCharsetAreKeptOrRefused(boolean onServer)
      throws SQLException {
    String options = "characterEncoding=ISO-8859-1&useServerPrepStmts=" + onServer;
    try (Connection connection = transaction(options)) {
      assertThatThrownBy(() -> OUTBOX.append(connection, event("1").json("[\"😀\"]").build()))
          .isInstanceOf(SQLException.class);
      connection.commit();
    }
    assertThat(row("SELECT count(*) FROM outbox_event")).containsExactly("0");
  }

  @Test
  void c58_nothingIsCutInASessionThatIsNotStrict() throws SQLException {
    database().execute("ALTER TABLE outbox_event MODIFY aggregate_id varchar(3) NOT NULL");
    String options = "jdbcCompliantTruncation=false&sessionVariables=sql_mode=''";
    try (Connection connection = transaction(options)) {
      SQLException e =
          catchThrowableOfType(
              SQLException.class,
              () -> OUTBOX.append(connection, event("123").build(), event("1234").build()));

      assertThat(e.getErrorCode()).isEqualTo(TOO_LONG);
      connection.commit();
    }
    assertThat(row("SELECT count(*) FROM outbox_event")).containsExactly("0");
  }

  @Test
  void theRestOfTheTransactionIsTheCallersAfterAFailure() throws SQLException {
    inTransaction(connection -> OUTBOX.append(connection, event("1").eventId("twice").build()));
    try (Connection connection = transaction(database())) {
      execute(connection, "INSERT INTO orders VALUES (1)");
      OUTBOX.append(connection, event("2").build());
      SQLException e =
          catchThrowableOfType(
              SQLException.class,
              () -> OUTBOX.append(connection, event("3").eventId("twice").build()));

      assertThat(e.getMessage())
          .contains("nothing of this call is in the transaction")
          .contains("should be rolled back");
      connection.commit();
    }
    assertThat(column("SELECT aggregate_id FROM outbox_event ORDER BY id"))
        .containsExactly("1", "2");
  }

  @Test
  void anOrdinaryAppendIsOneStatementAndManyEventsAreFew() throws SQLException {
    try (Connection connection = transaction(database())) {
      OUTBOX.append(connection, events(128));
      assertThat(statements(connection)).containsExactly("1", "0");

      OUTBOX.append(connection, events(300));
      assertThat(statements(connection)).containsExactly("4", "1");

      OUTBOX.append(connection, large("1", 200_000), large("2", 200_000), event("3").build());
      assertThat(statements(connection)).containsExactly("6", "2");
    }
  }

  private static List<String> statements(Connection connection) throws SQLException {
    return List.of(status(connection, "Com_insert"), status(connection, "Com_savepoint"));
  }

  private static String status(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        var rows = statement.executeQuery("SHOW SESSION STATUS LIKE '" + name + "'")) {
      rows.next();
      return rows.getString(2);
    }
  }

  /** More than a packet together, each less: 100 MB in 5 MB events where 64 MB are a packet. */
  @Test
  void c13_manyLargeEventsFitThoughTheyAreMoreThanAPacketTogether() throws SQLException {
    List<OutboxEvent> events =
        IntStream.range(0, 20).mapToObj(i -> large(String.valueOf(i), 5_000_000)).toList();
    inTransaction(connection -> OUTBOX.append(connection, events));

    assertThat(row("SELECT count(*), min(length(payload)) FROM outbox_event"))
        .containsExactly("20", "5000004");
  }

  @Test
  void c13_anEventLargerThanAPacketIsNamedWithTheSetting() throws SQLException {
    try (Connection connection = transaction(database())) {
      SQLException e =
          catchThrowableOfType(
              SQLException.class,
              () -> OUTBOX.append(connection, event("1").build(), large("2", 70_000_000)));

      assertThat(e.getMessage())
          .startsWith("Event ")
          .contains("(OrderPaid of order 2)")
          .contains("max_allowed_packet");
      connection.commit();
    }
    assertThat(row("SELECT count(*) FROM outbox_event")).containsExactly("0");
  }

  private static OutboxEvent large(String id, int size) {
    return event(id).json("[\"" + "x".repeat(size) + "\"]").build();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "waybill_writer  | INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type) VALUES ('e', 'a', '1', 'T') |",
        "waybill_writer  | SELECT id FROM outbox_event               | 1142",
        "waybill_writer  | UPDATE outbox_event SET topic = 't'       | 1142",
        "waybill_writer  | DELETE FROM outbox_event                  | 1142",
        "waybill_writer  | TRUNCATE outbox_event                     | 1142",
        "waybill_writer  | SELECT * FROM orders                      | 1142",
        "waybill_capture | SELECT * FROM outbox_event                |",
        "waybill_capture | SHOW MASTER STATUS                        |",
        "waybill_capture | SHOW BINARY LOGS                          |",
        "waybill_capture | SHOW REPLICAS                             |",
        "waybill_capture | INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type) VALUES ('e', 'a', '1', 'T') | 1142",
        "waybill_capture | DELETE FROM outbox_event                  | 1142",
        "waybill_capture | SELECT * FROM orders                      | 1142",
        "waybill_capture | FLUSH TABLES WITH READ LOCK               | 1227",
        "waybill_janitor | DELETE FROM outbox_event WHERE occurred_at < UTC_TIMESTAMP() - INTERVAL 7 DAY ORDER BY id LIMIT 1000 |",
        "waybill_janitor | SELECT payload FROM outbox_event          | 1143",
        "waybill_janitor | INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type) VALUES ('e', 'a', '1', 'T') | 1142",
        "waybill_janitor | UPDATE outbox_event SET topic = 't'       | 1142",
      })
  void rolesMayDoTheirWorkAndNothingElse(String role, String sql, @Nullable Integer refusal)
      throws SQLException {
    makeRoles();

    assertThat(codeOf(role, sql)).isEqualTo(refusal);
  }

  @Test
  void theWriterMayAppendManyEvents() throws SQLException {
    makeRoles();
    try (Connection connection = connect("waybill_writer")) {
      connection.setAutoCommit(false);
      OUTBOX.append(connection, events(300));
      connection.commit();
    }

    assertThat(row("SELECT count(*) FROM outbox_event")).containsExactly("300");
  }

  @Test
  void rolesAreMadeOnceAndTheCaptureUserIsLockedUntilItHasAPassword() throws SQLException {
    database().execute("DROP USER IF EXISTS waybill_capture");
    for (int i = 0; i < 2; i++) {
      database().execute(SchemaSql.statements(SchemaSql.roles(dialect())).toArray(String[]::new));
    }

    assertThat(
            column(
                "SELECT concat(user, '@', host, ' ', account_locked) FROM mysql.user"
                    + " WHERE user IN ('waybill_writer', 'waybill_capture', 'waybill_janitor')"
                    + " ORDER BY user"))
        .containsExactly("waybill_capture@% Y", "waybill_janitor@% Y", "waybill_writer@% Y");
  }

  /** Roles, users who have them by default, and a password for the capture user. */
  private void makeRoles() throws SQLException {
    database().execute(SchemaSql.statements(SchemaSql.roles(dialect())).toArray(String[]::new));
    database().execute("ALTER USER waybill_capture IDENTIFIED BY 'secret' ACCOUNT UNLOCK");
    for (String role : List.of("waybill_writer", "waybill_janitor")) {
      database()
          .execute(
              "CREATE USER IF NOT EXISTS %s_1 IDENTIFIED BY 'secret'".formatted(role),
              "GRANT %s TO %s_1".formatted(role, role),
              "ALTER USER %s_1 DEFAULT ROLE %s".formatted(role, role));
    }
  }

  private Connection connect(@Nullable String role) throws SQLException {
    if (role == null) {
      return database().connect();
    }
    String user = role.equals("waybill_capture") ? role : role + "_1";
    return DriverManager.getConnection(database().jdbcUrl(), user, "secret");
  }

  private @Nullable Integer codeOf(@Nullable String role, String sql) {
    SQLException e =
        catchThrowableOfType(
            SQLException.class,
            () -> {
              try (Connection connection = connect(role);
                  Statement statement = connection.createStatement()) {
                statement.execute(sql);
              }
            });
    return e == null ? null : e.getErrorCode();
  }
}
