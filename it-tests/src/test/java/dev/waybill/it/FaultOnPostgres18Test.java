package dev.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.it.world.PostgresVendor;
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

  @Override
  void assertLittleIsForgottenBehind(String place) {
    assertThat(
            world.count(
                ("SELECT confirmed_flush_lsn - '" + place + "' FROM pg_replication_slots")
                    + (" WHERE slot_name = '" + PostgresVendor.slot(world) + "'")))
        .as("bytes of log that the source may forget although nothing was published")
        .isLessThan(10_000);
  }

  @AfterAll
  static void closeServers() {
    DATABASE.close();
    BROKER.close();
  }
}
