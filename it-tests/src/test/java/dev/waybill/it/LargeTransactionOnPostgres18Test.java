package dev.waybill.it;

import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;

class LargeTransactionOnPostgres18Test extends LargeTransactionSuite {

  LargeTransactionOnPostgres18Test() {
    this(World.onPostgres(Servers.NEWEST));
  }

  /** A server that loses patience with a reader which is busy publishing. */
  private LargeTransactionOnPostgres18Test(World world) {
    super(world);
    world.execute(
        "ALTER ROLE waybill_capture IN DATABASE "
            + world.database().name()
            + " SET wal_sender_timeout = '5s'");
  }
}
