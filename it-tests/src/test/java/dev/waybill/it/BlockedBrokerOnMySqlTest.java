package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.event.OutboxEvent;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.EngineProcess;
import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;
import dev.waybill.servers.KafkaBroker;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The broker blocks the engine in the middle of a transaction, and then the engine is killed. */
class BlockedBrokerOnMySqlTest extends OnMySql {

  private static final KafkaBroker BROKER = Servers.ownBroker(Map.of());
  private static final int ROWS = 2_000;
  private static final Duration BLOCKED = Duration.ofSeconds(15);

  BlockedBrokerOnMySqlTest() {
    super(World.on(Servers.mysql(), BROKER));
    world
        .with("source.batch-size", "50")
        .with("source.queue-size", "100")
        .with("source.heartbeat", "500ms")
        .with("publish.kafka.request.timeout.ms", "30000")
        .with("publish.kafka.delivery.timeout.ms", "40000");
  }

  @AfterAll
  static void closeBroker() {
    BROKER.close();
  }

  @Test
  void c26TheEngineIsKilledWhileItWaitsForTheBrokerWithinATransaction() throws SQLException {
    List<String> ids = new ArrayList<>(List.of("warm"));
    try (EngineProcess engine = streamingProcess()) {
      world.append(event("warm", "a"));
      world.awaitPublished(1);
      ids.addAll(append("first-"));
      Awaitility.await().pollInSameThread().until(() -> !firsts().equals(List.of("warm")));
      BROKER.suspend();
      try {
        ids.addAll(append("second-"));
        Awaitility.await()
            .during(BLOCKED)
            .atMost(BLOCKED.plusSeconds(10))
            .until(() -> engine.lines().stream().noneMatch(line -> line.startsWith("failure")));
        engine.kill();
      } finally {
        BROKER.resume();
      }
    }
    try (Engine engine = streaming()) {
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .pollInSameThread()
          .until(() -> firsts().size() >= ids.size());
      assertThat(firsts()).containsExactlyElementsOf(ids);
      engine.assertStreaming();
    }
  }

  private List<String> append(String prefix) throws SQLException {
    List<OutboxEvent> events =
        IntStream.range(0, ROWS).mapToObj(i -> event(prefix + i, "a")).toList();
    world.append(events.toArray(OutboxEvent[]::new));
    return events.stream().map(OutboxEvent::eventId).toList();
  }
}
