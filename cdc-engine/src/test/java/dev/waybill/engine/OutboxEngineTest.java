package dev.waybill.engine;

import static dev.waybill.engine.EngineWorld.append;
import static dev.waybill.engine.EngineWorld.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.Database;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class OutboxEngineTest {

  private static final EngineWorld WORLD = EngineWorld.start();
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @AfterAll
  static void closeWorld() {
    WORLD.close();
  }

  private static void awaitState(OutboxEngine engine, EngineState state) {
    await().atMost(PATIENCE).until(() -> engine.status().state() == state);
  }

  private static void awaitPublished(String topic, List<String> ids) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(WORLD.publishedIds(topic)).containsExactlyElementsOf(ids));
  }

  @Test
  void publishesWhatWasThereAndWhatComes() throws Exception {
    Database database = WORLD.newOutbox();
    String type = EngineWorld.newName();
    WORLD.createTopic("events." + type);
    append(database, type, ids("a", 3));
    try (OutboxEngine engine =
        OutboxEngine.builder(WORLD.config(EngineWorld.newName(), database)).build()) {
      engine.start();
      awaitState(engine, EngineState.STREAMING);
      append(database, type, ids("b", 3));
      awaitPublished("events." + type, List.of("a0", "a1", "a2", "b0", "b1", "b2"));
    }
  }
}
