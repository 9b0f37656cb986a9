package dev.waybill.it;

import static dev.waybill.it.world.World.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.EngineState;
import dev.waybill.it.world.Engine;
import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;
import dev.waybill.servers.DatabaseServer;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * G7: after a reset of the log, GTIDs that were read mean other transactions, or none: a gap, even
 * where all of them are there again.
 */
class ResetLogOnMySqlTest extends OnMySql {

  private static final DatabaseServer DATABASE = Servers.ownMySql();

  ResetLogOnMySqlTest() {
    super(World.on(DATABASE, Servers.broker()).with("source.heartbeat", "200ms"));
  }

  @AfterAll
  static void closeServer() {
    DATABASE.close();
  }

  /** So few transactions that a test can write as many again; behind none, no engine begins. */
  @BeforeEach
  void startWithAnEmptyLog() throws SQLException {
    world.execute("RESET MASTER", "CREATE TABLE first_of_all (id INT)");
    publishAndClose(event("1", "a"), event("2", "a"));
  }

  @Test
  void aResetWhileNoEngineRuns() throws SQLException {
    world.execute("RESET MASTER");
    world.append(event("3", "a"));
    try (Engine engine = Engine.start(world)) {
      assertGap(engine, "reset");
    }
    assertThat(world.publishedIds()).containsExactly("1", "2");
  }

  /** All GTIDs that were read exist again, and mean other transactions. */
  @Test
  void aResetThatIsFollowedByAsManyTransactions() throws SQLException {
    long before = transactions();
    world.execute("RESET MASTER");
    write(before);
    assertThat(transactions()).isGreaterThanOrEqualTo(before);
    try (Engine engine = Engine.start(world)) {
      assertGap(engine, "reset");
    }
    assertThat(world.publishedIds()).containsExactly("1", "2");
  }

  @Test
  void aResetWhileAnEngineRuns() throws SQLException {
    try (Engine engine = streaming()) {
      world.execute("RESET MASTER");
      world.append(event("3", "a"));
      assertGap(engine, "reset");
    }
  }

  @Test
  void aResetWhileAnEngineRunsThatIsFollowedByAsManyTransactions() throws SQLException {
    try (Engine engine = streaming()) {
      long before = transactions();
      world.execute("RESET MASTER");
      write(before);
      assertGap(engine, "reset");
    }
  }

  /** As where GTIDs were just switched on. */
  @Test
  void aFirstStartWaitsForTheFirstTransaction() throws SQLException {
    world.with("engine.name", "early").execute("RESET MASTER");
    try (Engine engine = Engine.start(world).awaitState(EngineState.WAITING_FOR_SOURCE)) {
      assertThat(engine.status().reason()).contains("no transaction with a GTID yet");
      world.append(event("3", "a"));
      engine.awaitState(EngineState.STREAMING);
      world.awaitPublished(5);
      assertThat(world.publishedIds()).containsExactly("1", "2", "1", "2", "3");
    }
  }

  private void write(long transactions) throws SQLException {
    for (int i = 0; i < transactions; i++) {
      world.append(event("again-" + i, "a"));
    }
  }

  private long transactions() {
    return world.count("SELECT regexp_replace(@@global.gtid_executed, '^.*[:-]', '')");
  }
}
