package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineListener.Point;
import dev.waybill.it.world.EngineProcess;
import dev.waybill.it.world.Published;
import dev.waybill.it.world.World;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One transaction of 100,000 rows, read by an engine with a small heap. */
abstract class LargeTransactionSuite {

  private static final int ROWS = 100_000;
  private static final int KEYS = 50;
  private static final String PAYLOAD =
      """
      concat('{"n":', n, ',"pad":"', repeat(md5(concat(n)), 30), '"}')
      """;

  private final World world;

  LargeTransactionSuite(World world) {
    this.world = world;
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void c15IsPublishedWholeAndInOrderThoughTheEngineIsKilledInItsMiddle() throws SQLException {
    try (EngineProcess engine = EngineProcess.start(world)) {
      world.append(event("warm", "0"));
      world.awaitPublished(1);
      engine.kill();
    }
    insert();
    world.append(event("after", "0"));
    try (EngineProcess engine = EngineProcess.haltingAt(world, Point.ACKNOWLEDGED, 25)) {
      engine.awaitHalt();
    }
    try (EngineProcess engine = EngineProcess.start(world)) {
      Map<String, Integer> firsts = awaitFirsts(ROWS + 2);

      assertThat(engine.lines()).noneMatch(line -> line.contains("waiting-for-source"));
      assertOrder(firsts.keySet());
      int repeats = world.topics().read().size() - firsts.size();
      assertThat(repeats).as("repeats after the kill").isLessThan(3 * 2_048);
    }
  }

  private void insert() {
    world.execute(
        """
        INSERT INTO outbox_event
          (event_id, aggregate_type, aggregate_id, aggregate_version, event_type, payload)
        SELECT concat('row-', n), 'order', concat(n %% %2$d), floor(n / %2$d) + 1, 'OrderChanged',
               %3$s
          FROM %1$s
        """
            .formatted(world.vendor().numbersBelow(ROWS), KEYS, world.vendor().json(PAYLOAD)));
  }

  /** The ids in the order of their first occurrences, once {@code count} of them are there. */
  private Map<String, Integer> awaitFirsts(int count) {
    Set<String> ids = new HashSet<>();
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .pollInSameThread()
        .until(
            () -> {
              ids.clear();
              world.topics().read().forEach(record -> ids.add(record.id()));
              return ids.size() >= count;
            });
    Map<String, Integer> firsts = new LinkedHashMap<>();
    List<Published> all = world.topics().read();
    for (int i = 0; i < all.size(); i++) {
      firsts.putIfAbsent(all.get(i).id(), i);
    }
    assertThat(firsts).hasSize(count);
    return firsts;
  }

  private static void assertOrder(Set<String> ids) {
    Map<Integer, Integer> last = new HashMap<>();
    boolean after = false;
    for (String id : ids) {
      if (id.startsWith("row-")) {
        int row = Integer.parseInt(id.substring("row-".length()));
        Integer before = last.put(row % KEYS, row);
        assertThat(before == null || before < row).as("%s after %s", row, before).isTrue();
        assertThat(after && row % KEYS == 0).as("a row of the key behind the last").isFalse();
      }
      after |= id.equals("after");
    }
  }
}
