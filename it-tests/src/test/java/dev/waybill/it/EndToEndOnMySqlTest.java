package dev.waybill.it;

import dev.waybill.it.world.Servers;
import dev.waybill.servers.BrokerServer;
import dev.waybill.servers.DatabaseServer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;

class EndToEndOnMySqlTest extends EndToEndSuite {

  private static final DatabaseServer DATABASE = Servers.ownMySql();
  private static final BrokerServer BROKER = Servers.ownBroker(Map.of());

  EndToEndOnMySqlTest() {
    super(DATABASE, BROKER);
  }

  @AfterAll
  static void closeServers() {
    DATABASE.close();
    BROKER.close();
  }
}
