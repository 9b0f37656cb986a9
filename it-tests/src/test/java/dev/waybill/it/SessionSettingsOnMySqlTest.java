package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.it.world.Engine;
import dev.waybill.it.world.World;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A session may write its own kind of log, whatever the server's settings are. A row that is not in
 * the log, or not whole, ends the engine with the setting's name; it is never left out, nor
 * published with columns missing.
 */
class SessionSettingsOnMySqlTest extends OnMySql {

  SessionSettingsOnMySqlTest() {
    super(World.onMySql());
  }

  @Test
  void statementsInsteadOfRows() throws SQLException {
    noticed("binlog_format = 'STATEMENT'", "STATEMENT");
  }

  @ParameterizedTest
  @ValueSource(strings = {"MINIMAL", "NOBLOB"})
  void rowsThatAreNotWhole(String image) throws SQLException {
    noticed("binlog_row_image = '" + image + "'", "binlog_row_image");
  }

  private void noticed(String setting, String name) throws SQLException {
    publishAndClose(event("1", "a"));
    world.execute(
        "SET SESSION " + setting,
        "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type)"
            + " VALUES ('2', 'order', 'a', 'OrderChanged')");
    world.append(event("3", "a"));
    try (Engine engine = Engine.start(world)) {
      assertGap(engine, name);
    }
    assertThat(world.publishedIds()).containsExactly("1");
  }

  @Test
  void otherTablesMayBeLoggedInAnyWay() throws SQLException {
    world.execute("CREATE TABLE business (id INT PRIMARY KEY, what VARCHAR(20))");
    try (Engine engine = streaming()) {
      world.append(event("1", "a"));
      world.execute(
          "SET SESSION binlog_format = 'STATEMENT'",
          "INSERT INTO business VALUES (1, 'one')",
          "UPDATE business SET what = 'outbox_event'",
          "SET SESSION binlog_format = 'ROW'",
          "SET SESSION binlog_row_image = 'MINIMAL'",
          "UPDATE business SET what = 'two'",
          "DELETE FROM business");
      world.append(event("2", "a"));

      world.awaitIds("1", "2");
      engine.assertStreaming();
    }
  }
}
