package dev.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.it.world.Engine;
import dev.waybill.it.world.Published;
import dev.waybill.it.world.World;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A json column takes every JSON text; jsonb keeps none. */
abstract class PostgresBytesSuite extends BytesSuite {

  PostgresBytesSuite(World world) {
    super(world);
  }

  @Override
  Set<String> refused() {
    return Set.of();
  }

  @Override
  void allowAnyText() {
    world.execute("ALTER TABLE outbox_event ALTER COLUMN payload TYPE text");
  }

  @Test
  void c03JsonbArrivesAsTheServerWritesIt() throws SQLException {
    world.execute("ALTER TABLE outbox_event ALTER COLUMN payload TYPE jsonb");
    insert(
        "normalised",
        "{\"b\":1,\"a\":12345678901234567890123,\"a\":2.50,\"c\":1e3,\"d\":1.10,\"f\":-0.0}");
    insert("string", "\"x\"");
    insert("null", "null");
    try (Engine engine = Engine.start(world)) {
      Map<String, Published> published = byId(3);

      assertThat(get(published, "normalised").text())
          .isEqualTo("{\"a\": 2.50, \"b\": 1, \"c\": 1000, \"d\": 1.10, \"f\": 0.0}");
      assertThat(get(published, "string").text()).isEqualTo("\"x\"");
      assertThat(get(published, "null").text()).isEqualTo("null");
      engine.assertStreaming();
    }
  }
}
