package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineState;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.World;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** G8: the source may forget its log, whatever it is that is written into it. */
abstract class LogReleaseSuite {

  final World world;

  LogReleaseSuite(World world) {
    this.world = world;
    world.with("source.heartbeat", "500ms");
    world.execute("CREATE TABLE business (id bigint, filler text)");
  }

  /** The log has grown by more than may be retained. */
  abstract void assertMuchIsWrittenSince(String place);

  /** Waits until nearly all log written by now may be forgotten. */
  abstract void awaitReleased();

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

  final void writeBusinessTables() {
    String before = world.logEnd();
    for (int i = 0; i < 5; i++) {
      world.execute(
          "INSERT INTO business SELECT n, repeat(md5(concat(n)), 16) FROM "
              + world.vendor().numbersBelow(20_000));
    }
    assertMuchIsWrittenSince(before);
  }

  final Engine streaming() {
    return Engine.start(world).awaitState(EngineState.STREAMING);
  }
}
