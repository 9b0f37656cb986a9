package dev.waybill.it;

import static dev.waybill.it.world.World.event;

import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;
import dev.waybill.servers.DatabaseServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class CommandLineOnMySqlTest extends CommandLineSuite {

  private static final DatabaseServer DATABASE = Servers.ownMySql();

  CommandLineOnMySqlTest() {
    super(World.on(DATABASE, Servers.broker()));
  }

  @AfterAll
  static void closeServer() {
    DATABASE.close();
  }

  @Override
  String refusedLogin() {
    return "1045";
  }

  @Test
  void c41EndsWith4WhenTheLogIsPurgedAndTheRemedyPublishesWhatIsInTheTable() throws Exception {
    publishOne("before");
    world.append(event("gap", "a"));
    world.execute("FLUSH BINARY LOGS", "PURGE BINARY LOGS BEFORE now(6) + INTERVAL 1 DAY");

    assertGap("The server has removed log that was not read yet");

    deleteProgress();
    assertStartsAnewWith("before", "before", "gap");
  }

  @Test
  void c42EndsWith4AtAnotherServer() throws Exception {
    publishOne("before");
    try (DatabaseServer server = Servers.ownMySql();
        World other = World.on(server, Servers.broker())) {
      world.with("source.url", other.database().jdbcUrl()).with("source.table", other.table());

      assertGap("it is another server than");
    }
  }
}
