package dev.waybill.it;

import static dev.waybill.it.world.World.event;

import dev.waybill.engine.EngineState;
import dev.waybill.it.load.Audit;
import dev.waybill.it.load.Ledger;
import dev.waybill.it.load.MixedLoad;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.EngineProcess;
import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;
import dev.waybill.servers.DatabaseServer;
import java.sql.SQLException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What ends or refuses the engine's connections to MySQL costs nothing but time. */
class ConnectionsOnMySqlTest extends OnMySql {

  private static final DatabaseServer DATABASE = Servers.ownMySql();
  private static final int KILLS = 20;

  ConnectionsOnMySqlTest() {
    super(World.on(DATABASE, Servers.broker()));
  }

  @AfterAll
  static void closeServer() {
    DATABASE.close();
  }

  @Test
  void c29TheServerIsKilledTwentyTimesUnderLoad() {
    try (Engine engine = streaming()) {
      try (MixedLoad load = MixedLoad.start(world, ledger, 2, Duration.ofMillis(4), 62)) {
        for (int kill = 0; kill < KILLS; kill++) {
          load.awaitMore(100);
          DATABASE.kill();
          DATABASE.start();
        }
        load.awaitMore(100);
      }
      Audit.await(ledger, world.topics()).assertAll();
      engine.assertStreaming();
    }
  }

  /** The server sends its log to the younger of two readers with one id, and ends the other. */
  @Test
  void c46TwoEnginesWithOneServerIdLoseNothing() {
    Ledger others = new Ledger();
    try (World other = World.on(DATABASE, Servers.broker())) {
      world.with("source.server-id", "4711");
      other
          .with("source.server-id", "4711")
          .with("supervisor.back-off-first", "100ms")
          .with("supervisor.back-off-longest", "1s");
      try (Engine one = streaming()) {
        try (EngineProcess two = EngineProcess.start(other)) {
          two.awaitState(EngineState.STREAMING);
          try (MixedLoad load = MixedLoad.start(world, ledger, 1, Duration.ofMillis(4), 63);
              MixedLoad otherLoad = MixedLoad.start(other, others, 1, Duration.ofMillis(4), 64)) {
            Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(
                    () ->
                        one.statuses().stream()
                            .anyMatch(status -> status.state() == EngineState.WAITING_FOR_SOURCE));
            load.awaitMore(300);
            otherLoad.awaitMore(300);
          }
          two.kill();
        }
        Audit.await(ledger, world.topics()).assertAll();
        one.assertStreaming();
      }
      try (Engine two = Engine.start(other)) {
        Audit.await(others, other.topics()).assertAll();
        two.assertStreaming();
      }
    }
  }

  /**
   * caching_sha2_password: without TLS the server's public key is needed until it knows the hash.
   */
  @Test
  void aPasswordThatTheServerHasNotCached() throws SQLException {
    world.with(
        "source.url",
        world.database().jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true");
    world.execute("FLUSH PRIVILEGES");
    try (Engine engine = streaming()) {
      world.append(event("1", "a"));
      world.awaitIds("1");
      engine.assertStreaming();
    }
    DATABASE.stop();
    DATABASE.start();
    try (Engine engine = streaming()) {
      world.append(event("2", "a"));
      world.awaitIds("1", "2");
      engine.assertStreaming();
    }
  }
}
