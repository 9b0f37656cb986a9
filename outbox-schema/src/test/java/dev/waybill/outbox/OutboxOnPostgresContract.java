package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.waybill.servers.Database;
import dev.waybill.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the SQL in the jar makes of a PostgreSQL database, beside the promise of appending. */
abstract class OutboxOnPostgresContract extends OutboxContract {

  OutboxOnPostgresContract(int version) {
    super(PostgresServer.builder(version).start(), Dialect.POSTGRESQL);
  }

  @Override
  final void empty(Database database) throws SQLException {
    database.execute(
        "DROP PUBLICATION IF EXISTS waybill_shop",
        "DROP SCHEMA public CASCADE",
        "CREATE SCHEMA public",
        "GRANT USAGE ON SCHEMA public TO PUBLIC");
  }

  @Override
  final String occurredAt() {
    return "occurred_at AT TIME ZONE 'UTC'";
  }

  @Override
  final String member(String column, String name) {
    return column + " ->> '" + name + "'";
  }

  @Override
  final String hex(String column) {
    return "encode(" + column + ", 'hex')";
  }

  @Override
  final String schema() {
    return "public";
  }

  @Override
  final List<String> driverOptions() {
    return List.of("reWriteBatchedInserts=false", "reWriteBatchedInserts=true");
  }

  @Override
  final List<String> textualTypes() {
    return List.of("json", "jsonb", "text");
  }

  @Override
  final String routersTypes() {
    return "id uuid PRIMARY KEY, payload jsonb";
  }

  @Override
  final List<Instant> times() {
    return List.of(
        Instant.parse("-4712-01-01T00:00:00Z"), Instant.parse("+294276-12-31T23:59:59.999999Z"));
  }

  @Override
  final List<String> timesShown() {
    return List.of("4713-01-01 00:00:00 BC", "294276-12-31 23:59:59.999999");
  }

  @Override
  final String duplicateState() {
    return "23505";
  }

  @Override
  final String violatedCheckState() {
    return "23514";
  }

  @Override
  final String missingTableState() {
    return "42P01";
  }

  @Test
  void c03_keepsHalfASurrogatePairAndNumbersBeyondADouble() throws SQLException {
    String json = "{\"half\":\"\\ud83d\",\"large\":1e400}";
    inTransaction(
        connection -> Outbox.postgresql().append(connection, event("1").json(json).build()));

    assertThat(row("SELECT payload FROM outbox_event")).containsExactly(json);
  }

  @Test
  void noticesThatATriggerDropsRows() throws SQLException {
    database()
        .execute(
            "CREATE FUNCTION drop_it() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
            "CREATE TRIGGER t BEFORE INSERT ON outbox_event FOR EACH ROW EXECUTE FUNCTION drop_it()");
    try (Connection connection = transaction(database())) {
      SQLException e =
          catchThrowableOfType(
              SQLException.class, () -> Outbox.postgresql().append(connection, event("1").build()));

      assertThat(e.getMessage()).contains("0 rows were inserted instead of 1");
    }
  }

  @Test
  void plainSqlNeedsFiveColumns() throws SQLException {
    database()
        .execute(
            "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)"
                + " VALUES ('e1', 'order', '1', 'OrderPaid', '{}')");

    assertThat(
            row(
                "SELECT id, event_version, headers, occurred_at > now() - interval '1 minute'"
                    + " FROM outbox_event"))
        .containsExactly("1", "1", "null", "t");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'', 'order', '1', 'T', 1, 1, '{}'",
        "'e', '', '1', 'T', 1, 1, '{}'",
        "'e', 'order', '', 'T', 1, 1, '{}'",
        "'e', 'order', '1', '', 1, 1, '{}'",
        "'e', 'order', '1', 'T', 0, 1, '{}'",
        "'e', 'order', '1', 'T', 1, 0, '{}'",
        "'e', 'order', '1', 'T', 1, 1, '[]'",
        "'e', 'order', '1', 'T', 1, 1, 'null'",
      })
  void plainSqlIsCheckedByTheTable(String values) {
    assertThat(
            stateOf(
                database(),
                null,
                "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type,"
                    + " aggregate_version, event_version, headers) VALUES ("
                    + values
                    + ")"))
        .isEqualTo("23514");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "waybill_writer  | INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type) VALUES ('e', 'a', '1', 'T') | true",
        "waybill_writer  | SELECT id FROM outbox_event               | false",
        "waybill_writer  | UPDATE outbox_event SET topic = 't'       | false",
        "waybill_writer  | DELETE FROM outbox_event                  | false",
        "waybill_writer  | TRUNCATE outbox_event                     | false",
        "waybill_writer  | SELECT nextval('outbox_event_id_seq')     | false",
        "waybill_writer  | SELECT * FROM orders                      | false",
        "waybill_capture | SELECT * FROM outbox_event                | true",
        "waybill_capture | SELECT pg_create_logical_replication_slot('s', 'pgoutput', true) | true",
        "waybill_capture | SELECT pg_logical_emit_message(false, 'waybill', '') | true",
        "waybill_capture | INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type) VALUES ('e', 'a', '1', 'T') | false",
        "waybill_capture | DELETE FROM outbox_event                  | false",
        "waybill_capture | SELECT * FROM orders                      | false",
        "waybill_janitor | DELETE FROM outbox_event WHERE occurred_at < now() - interval '7 days' | true",
        "waybill_janitor | DELETE FROM outbox_event WHERE id IN (SELECT id FROM outbox_event ORDER BY id LIMIT 10) | true",
        "waybill_janitor | SELECT payload FROM outbox_event          | false",
        "waybill_janitor | INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type) VALUES ('e', 'a', '1', 'T') | false",
        "waybill_janitor | UPDATE outbox_event SET topic = 't'       | false",
      })
  void rolesMayDoTheirWorkAndNothingElse(String role, String sql, boolean allowed)
      throws SQLException {
    database().execute(SchemaSql.roles(Dialect.POSTGRESQL));

    assertThat(stateOf(database(), role, sql)).isEqualTo(allowed ? null : "42501");
  }

  @Test
  void theWriterMayAppend() throws SQLException {
    database().execute(SchemaSql.roles(Dialect.POSTGRESQL));
    try (Connection connection = transaction(database())) {
      execute(connection, "SET LOCAL ROLE waybill_writer");
      Outbox.postgresql().append(connection, event("1").build(), event("2").build());
      connection.commit();
    }

    assertThat(row("SELECT count(*) FROM outbox_event")).containsExactly("2");
  }

  @Test
  void rolesMayBeAppliedInEveryDatabaseOfACluster() throws SQLException {
    database().execute(SchemaSql.roles(Dialect.POSTGRESQL), SchemaSql.roles(Dialect.POSTGRESQL));

    assertThat(
            row(
                "SELECT string_agg(rolname, ' ' ORDER BY rolname), bool_or(rolsuper),"
                    + " bool_or(rolcreaterole), bool_or(rolbypassrls) FROM pg_roles"
                    + " WHERE rolname LIKE 'waybill%'"))
        .containsExactly("waybill_capture waybill_janitor waybill_writer", "f", "f", "f");
  }

  @Test
  void c18_onlyInsertsLeaveTheDatabaseAndDeleteNeedsNoKey() throws SQLException {
    database()
        .execute(
            "ALTER TABLE outbox_event DROP CONSTRAINT outbox_event_pkey",
            SchemaSql.publication("shop"),
            "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type)"
                + " VALUES ('e', 'a', '1', 'T')",
            "DELETE FROM outbox_event");

    assertThat(
            row(
                "SELECT pubname, puballtables, pubinsert, pubupdate, pubdelete, pubtruncate,"
                    + " pubviaroot, tablename FROM pg_publication JOIN pg_publication_tables"
                    + " USING (pubname)"))
        .containsExactly("waybill_shop", "f", "t", "f", "f", "f", "t", "outbox_event");
  }

  private static @Nullable String stateOf(Database database, @Nullable String role, String sql) {
    SQLException e =
        catchThrowableOfType(
            SQLException.class,
            () -> {
              try (Connection connection = database.connect();
                  Statement statement = connection.createStatement()) {
                if (role != null) {
                  statement.execute("SET SESSION AUTHORIZATION " + role);
                }
                statement.execute(sql);
              }
            });
    return e == null ? null : e.getSQLState();
  }
}
