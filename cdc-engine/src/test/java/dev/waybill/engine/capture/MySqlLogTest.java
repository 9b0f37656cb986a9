package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.MySqlServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a binary log may hold beside plain inserts, and what it may lack. */
@Timeout(120)
class MySqlLogTest {

  private static String insert(String table, String id) {
    return "INSERT INTO "
        + table
        + " (event_id, aggregate_type, aggregate_id, event_type, payload)"
        + (" VALUES ('" + id + "', 'Order', '1', 'OrderPaid', '{\"id\": \"" + id + "\"}')");
  }

  private static String insert(String id) {
    return insert("outbox_event", id);
  }

  private static List<String> read(Outbox outbox, Position start, int rows) throws Exception {
    try (Reading reading = Reading.of(outbox, start)) {
      List<String> ids = reading.awaitEventIds(rows);
      assertThat(reading.handler().changes())
          .allSatisfy(
              change -> {
                assertThat(change.row().eventType()).isEqualTo("OrderPaid");
                assertThat(
                        new String(
                            Objects.requireNonNull(change.row().payload()), StandardCharsets.UTF_8))
                    .isEqualTo("{\"id\": \"" + change.row().eventId() + "\"}");
              });
      return ids;
    }
  }

  private static void awaitPosition(Reading reading, BooleanSupplier reached) {
    await()
        .atMost(Reading.PATIENCE)
        .until(() -> reached.getAsBoolean() || reading.capture().awaitEnd(Duration.ZERO));
    assertThat(reached.getAsBoolean()).isTrue();
  }

  private static GtidSet executed(Outbox outbox) throws Exception {
    return GtidSet.parse(outbox.query("SELECT @@global.gtid_executed").get(0));
  }

  /** Not the columns that the table has now, but those it had when each row was written. */
  @Test
  void columns_that_changed_in_log_that_was_not_read_yet() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      Position start = outbox.begin();
      outbox.execute(
          insert("a"),
          "ALTER TABLE outbox_event ADD COLUMN first_of_all INT UNSIGNED FIRST",
          insert("b"),
          "ALTER TABLE outbox_event DROP COLUMN headers,"
              + " MODIFY COLUMN payload LONGTEXT AFTER event_id, ADD COLUMN note VARCHAR(20)",
          insert("c"),
          "ALTER TABLE outbox_event DROP COLUMN first_of_all, DROP COLUMN note,"
              + " MODIFY COLUMN event_type VARCHAR(200) CHARACTER SET latin1 NOT NULL",
          insert("d"));
      assertThat(read(outbox, start, 4)).containsExactly("a", "b", "c", "d");
    }
  }

  @Test
  void the_position_knows_the_columns_of_its_place() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      Position start = outbox.begin();
      Position middle;
      try (Reading reading = Reading.of(outbox, start)) {
        outbox.execute(
            "ALTER TABLE outbox_event ADD COLUMN extra ENUM('x','y''z') FIRST", insert("a"));
        reading.awaitEventIds(1);
        awaitPosition(reading, () -> definition(reading, outbox.table()).contains("`extra` enum"));
        middle = outbox.source().position(reading.position().toMap());
      }
      outbox.execute(insert("b"), "ALTER TABLE outbox_event DROP COLUMN extra", insert("c"));
      assertThat(read(outbox, middle, 2)).containsExactly("b", "c");
    }
  }

  private static String definition(Reading reading, TableName table) {
    MySqlColumns columns = ((MySqlPosition) reading.position()).columns().get(table);
    return columns == null ? "" : columns.definition();
  }

  /** As gh-ost and pt-online-schema-change do; the engine is restarted in the middle of it. */
  @Test
  void a_table_that_took_the_outboxs_place() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      TableName copy = new TableName(outbox.table().schema(), "_outbox_event_gho");
      Position start = outbox.begin();
      Position middle;
      try (Reading reading = Reading.of(outbox, start)) {
        outbox.execute(
            "CREATE TABLE _outbox_event_gho LIKE outbox_event",
            "ALTER TABLE _outbox_event_gho ADD COLUMN extra INT FIRST, DROP COLUMN topic",
            insert("a"),
            "CREATE TABLE unrelated (id INT PRIMARY KEY)",
            "INSERT INTO _outbox_event_gho (event_id, aggregate_type, aggregate_id, event_type)"
                + " SELECT event_id, aggregate_type, aggregate_id, event_type FROM outbox_event");
        reading.awaitEventIds(1);
        awaitPosition(reading, () -> definition(reading, copy).contains("extra"));
        middle = outbox.source().position(reading.position().toMap());
        assertThat(((MySqlPosition) middle).columns()).containsOnlyKeys(outbox.table(), copy);
      }
      outbox.execute(
          insert("b"),
          "RENAME TABLE outbox_event TO _outbox_event_del, _outbox_event_gho TO outbox_event",
          insert("c"),
          "DROP TABLE _outbox_event_del",
          insert("d"));
      assertThat(read(outbox, middle, 3)).containsExactly("b", "c", "d");
      assertThat(read(outbox, start, 4)).containsExactly("a", "b", "c", "d");
    }
  }

  @Test
  void statements_about_anything_else_do_not_stop_it() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      Position start = outbox.begin();
      outbox.execute(
          insert("a"),
          "CREATE TABLE t (id INT PRIMARY KEY, g GEOMETRY NOT NULL SRID 4326, j JSON,"
              + " v INT GENERATED ALWAYS AS (j->'$.a') VIRTUAL, SPATIAL INDEX (g))",
          "CREATE TABLE p (id INT) PARTITION BY RANGE (id) SUBPARTITION BY HASH (id)"
              + " SUBPARTITIONS 2 (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN MAXVALUE)",
          "ALTER TABLE p REORGANIZE PARTITION p1 INTO (PARTITION p2 VALUES LESS THAN (20),"
              + " PARTITION p3 VALUES LESS THAN MAXVALUE)",
          "ALTER TABLE t ADD INDEX functional ((CAST(j->'$.tags' AS UNSIGNED ARRAY)))",
          "ALTER TABLE t ALTER INDEX functional INVISIBLE",
          "CREATE PROCEDURE proc() BEGIN DECLARE x INT; SET x = 1; /* ; */ SELECT 'outbox_event'; END",
          "CREATE TRIGGER trig BEFORE INSERT ON t FOR EACH ROW SET NEW.j = '{}'",
          "CREATE EVENT ev ON SCHEDULE EVERY 1 YEAR DISABLE DO SELECT 1",
          "CREATE VIEW vw AS SELECT * FROM outbox_event",
          "CREATE ALGORITHM = MERGE SQL SECURITY INVOKER VIEW v2 AS SELECT 1 AS one",
          "ALTER TABLE outbox_event COMMENT = 'still ours', ALGORITHM = INPLACE, LOCK = NONE",
          "CREATE INDEX extra ON outbox_event (occurred_at)",
          "ANALYZE TABLE outbox_event",
          "CREATE TABLE IF NOT EXISTS outbox_event (id INT)",
          "-- at each start\nCREATE TABLE IF NOT EXISTS `outbox_event` (id INT, x JSON)",
          "GRANT SELECT ON outbox_event TO waybill_capture",
          "DROP VIEW vw, v2",
          "DROP TABLE t, p",
          insert("b"));
      assertThat(read(outbox, start, 2)).containsExactly("a", "b");
    }
  }

  /**
   * The server takes it and Debezium's parser does not: by number and types of the columns the two
   * that have changed places would be taken for each other.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_statement_about_the_outbox_that_was_not_understood_is_a_gap(boolean fromElsewhere)
      throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      Position start = outbox.begin();
      outbox.execute(insert("a"));
      String table = fromElsewhere ? outbox.database().name() + ".outbox_event" : "outbox_event";
      outbox.execute(
          "USE " + (fromElsewhere ? "mysql" : outbox.database().name()),
          "ALTER TABLE "
              + table
              + " MODIFY aggregate_type VARCHAR(64) NOT NULL AFTER aggregate_id,"
              + " ADD INDEX source ((JSON_VALUE(headers, '$.source' RETURNING CHAR(10))))");
      outbox.execute(insert("b"));
      expectGapBehindA(outbox, start, "was not understood");
    }
  }

  /** The standard has many, some of several words; the position holds them, too. */
  @Test
  void types_by_other_names() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      Position start = outbox.begin();
      Position middle;
      try (Reading reading = Reading.of(outbox, start)) {
        outbox.execute(
            "ALTER TABLE outbox_event ADD a CHARACTER VARYING(20), ADD b NATIONAL VARCHAR(20),"
                + " ADD c NCHAR VARYING(9), ADD d NATIONAL CHAR(3), ADD e CHAR VARYING(5),"
                + " ADD f DOUBLE PRECISION UNSIGNED, ADD g LONG VARCHAR, ADD h DEC(5, 2) ZEROFILL,"
                + " ADD i CHARACTER(3) BINARY, ADD j INT4, ADD k NATIONAL CHARACTER VARYING(7)",
            insert("a"));
        reading.awaitEventIds(1);
        awaitPosition(reading, () -> definition(reading, outbox.table()).contains("`k`"));
        middle = outbox.source().position(reading.position().toMap());
      }
      outbox.execute(insert("b"));
      assertThat(read(outbox, middle, 1)).containsExactly("b");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ADD COLUMN extra INT",
        "MODIFY COLUMN topic INT",
        "MODIFY COLUMN aggregate_version BIGINT UNSIGNED",
        "MODIFY COLUMN payload LONGTEXT CHARACTER SET latin1",
      })
  void rows_that_do_not_fit_the_columns_are_a_gap(String change) throws Exception {
    expectGap("sql_log_bin = 0", "SET sql_log_bin = 0", "ALTER TABLE outbox_event " + change);
  }

  /** Of what a session does between two rows, nothing but a gap may come. */
  private static void expectGap(String sign, String... session) throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      Position start = outbox.begin();
      outbox.execute(insert("a"));
      inOneSession(outbox, session);
      outbox.execute(insert("c"));
      expectGapBehindA(outbox, start, sign);
    }
  }

  private static void inOneSession(Outbox outbox, String... statements) throws Exception {
    try (Connection connection = outbox.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Nothing behind it is published, and a rebuilt capture comes to the same end. */
  private static void expectGapBehindA(Outbox outbox, Position start, String sign)
      throws Exception {
    Position reached = start;
    for (int attempt = 0; attempt < 2; attempt++) {
      try (Reading reading = Reading.of(outbox, reached)) {
        assertThatThrownBy(() -> reading.capture().awaitEnd(Reading.PATIENCE))
            .isInstanceOf(GapException.class)
            .hasMessageContaining(sign)
            .hasMessageContaining("waybill." + outbox.config().engine() + ".progress");
        reached = reading.position();
        assertThat(reading.handler().eventIds()).isSubsetOf("a");
      }
    }
  }

  @Test
  void rows_that_a_statement_wrote_are_a_gap() throws Exception {
    expectGap("STATEMENT", "SET binlog_format = STATEMENT", insert("b"));
  }

  @Test
  void statements_that_wrote_elsewhere_are_passed_over() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      Position start = outbox.begin();
      inOneSession(
          outbox,
          "CREATE TABLE checksums (id INT AUTO_INCREMENT PRIMARY KEY, n INT)",
          "SET binlog_format = STATEMENT",
          "REPLACE INTO checksums (n) SELECT count(*) FROM outbox_event",
          "UPDATE outbox_event SET topic = NULL");
      outbox.execute(insert("a"));
      assertThat(read(outbox, start, 1)).containsExactly("a");
    }
  }

  @Test
  void rows_that_were_logged_in_part_are_a_gap() throws Exception {
    expectGap("binlog_row_image", "SET binlog_row_image = MINIMAL", insert("b"));
  }

  /** Prepared is not committed: the end of it may be years away, and a rollback. */
  @Test
  void rows_of_a_distributed_transaction_are_a_gap() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      Position start = outbox.begin();
      outbox.execute(insert("a"));
      inOneSession(outbox, "XA START 'x'", insert("b"), "XA END 'x'", "XA PREPARE 'x'");
      try {
        expectGapBehindA(outbox, start, "XA");
      } finally {
        outbox.execute("XA ROLLBACK 'x'");
      }
    }
  }

  @Test
  void distributed_transactions_of_others_are_passed_over() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      outbox.execute("CREATE TABLE business (id INT PRIMARY KEY)");
      try (Reading reading = Reading.of(outbox, outbox.begin())) {
        inOneSession(
            outbox,
            "XA START 'y'",
            "INSERT INTO business VALUES (1)",
            "XA END 'y'",
            "XA PREPARE 'y'",
            "XA COMMIT 'y'");
        outbox.execute(insert("a"));
        assertThat(reading.awaitEventIds(1)).containsExactly("a");
        GtidSet all = executed(outbox);
        awaitPosition(reading, () -> gtids(reading).equals(all));
      }
    }
  }

  private static GtidSet gtids(Reading reading) {
    return ((MySqlPosition) reading.position()).gtids();
  }

  /** Else the log behind it could not be purged without looking like a gap. */
  @Test
  void on_an_idle_server_the_position_comes_to_the_end_of_its_log() throws Exception {
    try (Outbox outbox = Outbox.mysql();
        Reading reading = Reading.of(outbox, outbox.begin())) {
      outbox.insert("a", "b");
      GtidSet rows = executed(outbox);
      awaitPosition(reading, () -> gtids(reading).equals(rows));
      outbox.execute("CREATE TABLE business (id INT PRIMARY KEY)");
      GtidSet statement = executed(outbox);
      awaitPosition(reading, () -> gtids(reading).equals(statement));
      outbox.execute("INSERT INTO business VALUES (1), (2)");
      GtidSet others = executed(outbox);
      awaitPosition(reading, () -> gtids(reading).equals(others));
      outbox.source().requireLog(reading.position());
      assertThat(((MySqlPosition) reading.position()).unfinished()).isNull();
    }
  }

  /** Also of more than one packet of the protocol, 16 MB. */
  @Test
  void transactions_that_were_compressed() throws Exception {
    try (MySqlServer server =
            MySqlServer.builder()
                .setting("binlog_transaction_compression", "ON")
                .setting("max_allowed_packet", "64M")
                .start();
        Outbox outbox = Outbox.create(server, Outbox.PACE)) {
      Position start = outbox.begin();
      outbox.insert("a", "b");
      insertLarge(outbox);
      outbox.insert("c");
      try (Reading reading = Reading.of(outbox, start)) {
        assertThat(reading.awaitEventIds(4)).containsExactly("a", "b", "large", "c");
        outbox.source().requireLog(reading.position());
        GtidSet all = executed(outbox);
        awaitPosition(reading, () -> gtids(reading).equals(all));
        outbox.source().requireLog(reading.position());
        outbox.insert("d");
        assertThat(reading.awaitEventIds(5)).endsWith("d");
        outbox.source().requireLog(reading.position());
      }
      assertThat(
              outbox.query(
                  "SELECT transaction_counter FROM"
                      + " performance_schema.binary_log_transaction_compression_stats"
                      + " WHERE log_type = 'BINARY' AND compression_type = 'ZSTD'"))
          .as("transactions that are compressed in the log")
          .satisfiesExactly(count -> assertThat(Integer.parseInt(count)).isGreaterThan(2));
    }
  }

  private static void insertLarge(Outbox outbox) throws Exception {
    byte[] random = new byte[20 << 20];
    new SplittableRandom(1).nextBytes(random);
    try (Connection connection = outbox.connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type,"
                    + " payload) VALUES ('large', 'Order', '1', 'OrderPaid', ?)")) {
      insert.setString(1, '"' + Base64.getEncoder().encodeToString(random) + '"');
      insert.execute();
    }
  }
}
