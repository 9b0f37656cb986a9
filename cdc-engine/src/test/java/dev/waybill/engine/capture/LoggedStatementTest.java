package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoggedStatementTest {

  private static final TableName OUTBOX = TableName.parse("shop.outbox_event");

  private static LoggedStatement in(String database, String sql) {
    return new LoggedStatement(sql, database);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO outbox_event VALUES (1)",
        "insert ignore outbox_event(id) values (1)",
        "/* a comment */ INSERT /* b */ INTO `shop`.`outbox_event` (id) SELECT 1",
        "REPLACE LOW_PRIORITY\n INTO shop . outbox_event VALUES (1)",
        "-- a comment\nINSERT INTO outbox_event VALUES (1)",
        "# one\n--\n# two\nINSERT INTO # three\n outbox_event VALUES (1)",
        "INSERT INTO \"shop\".\"outbox_event\" VALUES (1)",
      })
  void what_inserts_into_the_outbox(String sql) {
    assertThat(in("shop", sql).insertsInto(OUTBOX)).isTrue();
    assertThat(in("shop", sql).changesRows()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO outbox_event_2 VALUES (1)",
        "INSERT INTO other.outbox_event VALUES (1)",
        "REPLACE INTO checksums SELECT count(*) FROM outbox_event",
        "UPDATE outbox_event SET topic = NULL",
        "DELETE FROM outbox_event",
        "SAVEPOINT outbox_event",
      })
  void what_does_not(String sql) {
    assertThat(in("shop", sql).insertsInto(OUTBOX)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE outbox_event ADD COLUMN a INT",
        "alter table `shop`.`outbox_event` rename to x",
        "CREATE TABLE IF NOT EXISTS outbox_event (id INT)",
        "RENAME TABLE a TO b, c TO outbox_event",
        "-- V7\nALTER TABLE outbox_event ADD COLUMN a INT",
      })
  void what_defines_the_outbox(String sql) {
    assertThat(in("shop", sql).defines(OUTBOX)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE other ADD FOREIGN KEY (e) REFERENCES outbox_event (id)",
        "CREATE VIEW v AS SELECT * FROM outbox_event",
        "ALTER TABLE elsewhere.outbox_event ADD COLUMN a INT",
        "GRANT SELECT ON outbox_event TO x",
      })
  void what_does_not_define_it(String sql) {
    assertThat(in("shop", sql).defines(OUTBOX)).isFalse();
  }

  @Test
  void a_table_of_another_database_than_that_of_the_session() {
    assertThat(in("ops", "ALTER TABLE shop.outbox_event FORCE").defines(OUTBOX)).isTrue();
  }

  @Test
  void what_creates_the_outbox_if_it_is_missing() {
    assertThat(in("shop", "create table\nif not exists outbox_event (id INT)"))
        .matches(statement -> statement.createsIfMissing(OUTBOX));
    assertThat(in("shop", "CREATE TABLE outbox_event (id INT)"))
        .matches(statement -> !statement.createsIfMissing(OUTBOX));
  }
}
