package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.it.world.Engine;
import dev.waybill.it.world.World;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Progress moves with what other tables write, so that binary logs may be purged. */
class LogReleaseOnMySqlTest extends LogReleaseSuite {

  LogReleaseOnMySqlTest() {
    super(World.onMySql());
  }

  @Override
  void assertMuchIsWrittenSince(String place) {
    assertThat(world.count("SELECT gtid_subset(@@global.gtid_executed, '" + place + "')")).isZero();
  }

  @Override
  void awaitReleased() {
    world.awaitAcknowledged();
  }

  @Test
  void anEngineThatOnlySawOtherTablesWrittenStartsAgainThoughAllThatWasPurged()
      throws SQLException {
    try (Engine engine = streaming()) {
      world.append(event("before", "a"));
      world.awaitPublished(1);
      writeBusinessTables();
      world.execute("FLUSH BINARY LOGS");
      awaitReleased();
      engine.assertStreaming();
    }
    world.execute("PURGE BINARY LOGS BEFORE now(6) + INTERVAL 1 DAY");
    world.append(event("after", "a"));
    try (Engine engine = streaming()) {
      world.awaitIds("before", "after");
      engine.assertStreaming();
    }
  }
}
