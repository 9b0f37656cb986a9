package dev.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineState;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.Published;
import dev.waybill.it.world.World;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A LONGTEXT column keeps every character that JSON_VALID lets in; JSON keeps no numbers. */
class BytesOnMySqlTest extends BytesSuite {

  BytesOnMySqlTest() {
    super(World.onMySql());
  }

  /** JSON of MySQL is at most 100 deep, and knows neither 1e400 nor half a character. */
  @Override
  Set<String> refused() {
    return Set.of("beyond a double", "lone surrogate", "deep");
  }

  @Override
  void allowAnyText() {
    world.execute(
        "ALTER TABLE outbox_event DROP CHECK "
            + world.query(
                "SELECT constraint_name FROM information_schema.check_constraints"
                    + " WHERE constraint_schema = database() AND check_clause LIKE '%`payload`%'"));
  }

  @Test
  void c04JsonArrivesAsNumbersOfThatValue() throws SQLException {
    world.execute("ALTER TABLE outbox_event MODIFY payload json");
    try (Engine engine = Engine.start(world).awaitState(EngineState.STREAMING)) {
      insert(
          "json", "{\"b\": 1, \"a\": \"x\", \"i\": 9007199254740993, \"u\": 18446744073709551615}");

      Map<String, Published> published = byId(1);

      assertThat(get(published, "json").text())
          .isEqualTo("{\"a\":\"x\",\"b\":1,\"i\":9007199254740993,\"u\":18446744073709551615}");
      engine.assertStreaming();
    }
  }

  /** The log does not say in which charset a column is. */
  @Test
  void c01ColumnsMayBeInAnyCharset() throws SQLException {
    world.execute(
        "ALTER TABLE outbox_event MODIFY aggregate_id varchar(255) CHARACTER SET latin1 NOT NULL");
    world.append(World.event("before", "café"));
    try (Engine engine = Engine.start(world).awaitState(EngineState.STREAMING)) {
      world.append(World.event("after", "café"));

      Map<String, Published> published = byId(2);

      assertThat(get(published, "before").keyText()).isEqualTo("café");
      assertThat(get(published, "after").keyText()).isEqualTo("café");
      engine.assertStreaming();
    }
  }
}
