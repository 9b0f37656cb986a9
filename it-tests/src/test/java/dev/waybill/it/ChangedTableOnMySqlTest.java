package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.it.world.Engine;
import dev.waybill.it.world.Published;
import dev.waybill.it.world.World;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The log of MySQL does not say what its columns are called: rows are read with the columns that
 * the table had when they were written, never with those of another time.
 */
class ChangedTableOnMySqlTest extends OnMySql {

  ChangedTableOnMySqlTest() {
    super(World.onMySql());
  }

  /** Whatever column a value would have been taken from, it is not the right one. */
  @AfterEach
  void assertValuesAreInTheirColumns() {
    for (Published record : world.topics().read()) {
      assertThat(record.text()).isEqualTo("{\"id\":\"" + record.id() + "\"}");
      assertThat(record.keyText()).isEqualTo("a");
      assertThat(record.header("ce_type")).isEqualTo("OrderChanged");
      assertThat(record.header("ce_subject")).isEqualTo("a");
    }
  }

  @Test
  void c21AlteredWhileAnEngineRuns() throws SQLException {
    try (Engine engine = streaming()) {
      world.append(event("1", "a"));
      world.execute("ALTER TABLE outbox_event ADD COLUMN x INT NOT NULL DEFAULT 7 FIRST");
      world.append(event("2", "a"));
      world.execute(
          "ALTER TABLE outbox_event DROP COLUMN x, ADD COLUMN y VARCHAR(64) DEFAULT 'y' AFTER id");
      world.append(event("3", "a"));

      world.awaitIds("1", "2", "3");
      engine.assertStreaming();
    }
  }

  @Test
  void c21AlteredWhileRowsWereUnread() throws SQLException {
    publishAndClose(event("1", "a"));
    world.append(event("2", "a"));
    world.execute("ALTER TABLE outbox_event ADD COLUMN x VARCHAR(64) DEFAULT 'x' FIRST");
    world.append(event("3", "a"));
    world.execute("ALTER TABLE outbox_event DROP COLUMN x, ADD COLUMN y INT DEFAULT 1 AFTER id");
    world.append(event("4", "a"));
    try (Engine engine = streaming()) {
      world.awaitIds("1", "2", "3", "4");
      engine.assertStreaming();
    }
    world.append(event("5", "a"));
    try (Engine engine = streaming()) {
      world.awaitIds("1", "2", "3", "4", "5");
      engine.assertStreaming();
    }
  }

  /** With as many columns before and after, nothing but their names tells the rows apart. */
  @Test
  void c21ReorderedWhileRowsWereUnread() throws SQLException {
    world.execute("ALTER TABLE outbox_event ADD COLUMN spare VARCHAR(64) DEFAULT 'spare'");
    publishAndClose(event("1", "a"));
    world.append(event("2", "a"));
    world.execute("ALTER TABLE outbox_event MODIFY spare VARCHAR(64) DEFAULT 'spare' AFTER id");
    world.append(event("3", "a"));
    try (Engine engine = streaming()) {
      world.awaitIds("1", "2", "3");
      engine.assertStreaming();
    }
  }

  @Test
  void alteredBetweenTheFirstStartAndItsFirstRow() throws SQLException {
    try (Engine engine = streaming()) {
      engine.assertStreaming();
    }
    world.execute("ALTER TABLE outbox_event ADD COLUMN x VARCHAR(64) DEFAULT 'x' FIRST");
    world.append(event("1", "a"));
    try (Engine engine = streaming()) {
      world.awaitIds("1");
      engine.assertStreaming();
    }
  }

  /** As gh-ost and pt-online-schema-change do it. */
  @Test
  void c21ReplacedByACopyWhileAnEngineRuns() throws SQLException {
    try (Engine engine = streaming()) {
      world.append(event("1", "a"));
      copy();
      world.append(event("2", "a"));
      swap();
      world.append(event("3", "a"));

      world.awaitIds("1", "2", "3");
      engine.assertStreaming();
    }
  }

  @Test
  void c21ReplacedByACopyWhileRowsWereUnread() throws SQLException {
    publishAndClose(event("1", "a"));
    world.append(event("2", "a"));
    copy();
    world.append(event("3", "a"));
    swap();
    world.append(event("4", "a"));
    try (Engine engine = streaming()) {
      world.awaitIds("1", "2", "3", "4");
      engine.assertStreaming();
    }
    world.append(event("5", "a"));
    try (Engine engine = streaming()) {
      world.awaitIds("1", "2", "3", "4", "5");
      engine.assertStreaming();
    }
  }

  private void copy() {
    world.execute(
        "CREATE TABLE _outbox_event_new LIKE outbox_event",
        "ALTER TABLE _outbox_event_new ADD COLUMN x VARCHAR(64) DEFAULT 'x' FIRST",
        "INSERT INTO _outbox_event_new SELECT 'copied', outbox_event.* FROM outbox_event");
  }

  private void swap() {
    world.execute(
        "RENAME TABLE outbox_event TO _outbox_event_old, _outbox_event_new TO outbox_event");
  }

  /** Nothing in the log tells of it: no row is read with columns that do not fit it. */
  @Test
  void alteredBehindTheLogsBack() throws SQLException {
    try (Engine engine = streaming()) {
      world.append(event("1", "a"));
      world.awaitPublished(1);
      world.execute(
          "SET sql_log_bin = OFF",
          "ALTER TABLE outbox_event ADD COLUMN x VARCHAR(64) DEFAULT 'x' FIRST");
      world.append(event("2", "a"));

      assertGap(engine, "outbox_event");
    }
    assertThat(world.publishedIds()).containsExactly("1");
  }

  @Test
  void c21StatementsThatNoParserUnderstandsStopNothing() throws SQLException {
    try (Engine engine = streaming()) {
      world.append(event("1", "a"));
      world.execute(
          "CREATE TABLE other (id INT COMMENT 'holds a \"double-quoted\" part')",
          "CREATE PROCEDURE take() SELECT id FROM other FOR UPDATE SKIP LOCKED",
          "CREATE TABLE parts (id INT) /*!50100 PARTITION BY HASH (id) PARTITIONS 2 */",
          "FLUSH TABLES other",
          "CREATE VIEW both_of_them AS SELECT o.id FROM other o JOIN parts p USING (id)",
          "ALTER TABLE other ADD COLUMN made INT GENERATED ALWAYS AS (id * 2) STORED");
      world.append(event("2", "a"));

      world.awaitIds("1", "2");
      engine.assertStreaming();
    }
  }
}
