package dev.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineState;
import dev.waybill.engine.capture.GapException;
import dev.waybill.event.OutboxEvent;
import dev.waybill.it.load.Ledger;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.EngineProcess;
import dev.waybill.it.world.Published;
import dev.waybill.it.world.World;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** What tests of MySQL's own ways to lose rows have in common. */
abstract class OnMySql {

  final Ledger ledger = new Ledger();
  final World world;

  OnMySql(World world) {
    this.world = world;
    world.with("supervisor.back-off-first", "100ms").with("supervisor.back-off-longest", "1s");
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  final Engine streaming() {
    return Engine.start(world).awaitState(EngineState.STREAMING);
  }

  final EngineProcess streamingProcess() {
    return EngineProcess.start(world).awaitState(EngineState.STREAMING);
  }

  /** From here on, what is written is read from the log. */
  final void publishAndClose(OutboxEvent... events) throws SQLException {
    try (Engine engine = streaming()) {
      world.append(events);
      world.awaitPublished(events.length);
      world.awaitAcknowledged();
      engine.assertStreaming();
    }
  }

  /** The engine must not go on, and says why; nothing that it read wrongly is published. */
  final void assertGap(Engine engine, String why) {
    assertThat(engine.awaitFailure()).isInstanceOf(GapException.class).hasMessageContainingAll(why);
  }

  /** Those published, in the order in which each first came. */
  final List<String> firsts() {
    return world.topics().read().stream().map(Published::id).distinct().toList();
  }
}
