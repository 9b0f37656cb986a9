package dev.waybill.it;

import dev.waybill.it.world.Servers;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.KafkaBroker;
import org.junit.jupiter.api.AfterAll;

class FaultOnPostgres18Test extends FaultSuite {

  private static final DatabaseServer DATABASE = Servers.ownPostgres(Servers.NEWEST);
  private static final KafkaBroker BROKER = Servers.ownBroker(BROKER_SETTINGS);

  FaultOnPostgres18Test() {
    super(DATABASE, BROKER);
  }

  @AfterAll
  static void closeServers() {
    DATABASE.close();
    BROKER.close();
  }
}
