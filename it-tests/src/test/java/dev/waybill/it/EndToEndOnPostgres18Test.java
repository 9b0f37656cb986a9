package dev.waybill.it;

import dev.waybill.it.world.Servers;
import dev.waybill.servers.BrokerServer;
import dev.waybill.servers.DatabaseServer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;

class EndToEndOnPostgres18Test extends EndToEndSuite {

  private static final DatabaseServer DATABASE = Servers.ownPostgres(Servers.NEWEST);
  private static final BrokerServer BROKER = Servers.ownBroker(Map.of());

  EndToEndOnPostgres18Test() {
    super(DATABASE, BROKER);
  }

  @AfterAll
  static void closeServers() {
    DATABASE.close();
    BROKER.close();
  }
}
