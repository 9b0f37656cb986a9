package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineState;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.World;
import java.sql.SQLException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** G8: the source may forget its log, whatever it is that is written into it. */
abstract class LogReleaseSuite {

  private static final long LOAD_BYTES = 50_000_000;
  private static final long LAG_BYTES = 1_000_000;

  private final World world;

  LogReleaseSuite(World world) {
    this.world = world;
    world.with("source.heartbeat", "500ms");
    world.execute("CREATE TABLE business (id bigint, filler text)");
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void c34LogOfOtherTablesIsReleasedWithinSecondsWhileTheOutboxIsIdle() throws SQLException {
    try (Engine engine = streaming()) {
      world.append(event("only", "a"));
      world.awaitPublished(1);

      writeBusinessTables();

      awaitReleased();
      assertThat(world.publishedIds()).containsExactly("only");
      engine.assertStreaming();
    }
  }

  @Test
  void c34AnOutboxThatNeverHadAnEventHoldsNoLog() {
    try (Engine engine = streaming()) {
      writeBusinessTables();

      awaitReleased();
      engine.assertStreaming();
    }
  }

  private void writeBusinessTables() {
    String before = world.logEnd();
    for (int i = 0; i < 5; i++) {
      world.execute(
          "INSERT INTO business SELECT n, repeat(md5(n::text), 16)"
              + " FROM generate_series(1, 20000) n");
    }
    assertThat(world.count("SELECT pg_current_wal_insert_lsn() - '" + before + "'::pg_lsn"))
        .as("bytes of log written")
        .isGreaterThan(LOAD_BYTES);
  }

  private void awaitReleased() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(retained("confirmed_flush_lsn")).isLessThan(LAG_BYTES);
              assertThat(retained("restart_lsn")).isLessThan(LOAD_BYTES / 3);
            });
  }

  private long retained(String place) {
    return world.count(
        "SELECT pg_current_wal_insert_lsn() - "
            + place
            + " FROM pg_replication_slots WHERE slot_name = '"
            + world.slot()
            + "'");
  }

  private Engine streaming() {
    return Engine.start(world).awaitState(EngineState.STREAMING);
  }
}
