package dev.waybill.it;

import dev.waybill.it.world.Servers;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.KafkaBroker;
import org.junit.jupiter.api.AfterAll;

class FaultOnMySqlTest extends FaultSuite {

  private static final DatabaseServer DATABASE = Servers.ownMySql();
  private static final KafkaBroker BROKER = Servers.ownBroker(BROKER_SETTINGS);

  FaultOnMySqlTest() {
    super(DATABASE, BROKER);
  }

  /** MySQL is told nothing: what it may forget is its own affair, and progress is in Kafka. */
  @Override
  void assertLittleIsForgottenBehind(String place) {}

  @AfterAll
  static void closeServers() {
    DATABASE.close();
    BROKER.close();
  }
}
