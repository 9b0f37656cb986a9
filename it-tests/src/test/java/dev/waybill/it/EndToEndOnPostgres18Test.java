package dev.waybill.it;

import dev.waybill.it.world.Servers;
import dev.waybill.servers.BrokerServer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;

class EndToEndOnPostgres18Test extends EndToEndSuite {

  private static final BrokerServer BROKER = Servers.ownBroker(Map.of());

  EndToEndOnPostgres18Test() {
    super(Servers.postgres(18), BROKER);
  }

  @AfterAll
  static void closeBroker() {
    BROKER.close();
  }
}
