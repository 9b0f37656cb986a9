package dev.waybill.it;

import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;

class LargeTransactionOnPostgres18Test extends LargeTransactionSuite {

  LargeTransactionOnPostgres18Test() {
    super(impatient(World.onPostgres(Servers.NEWEST)));
  }

  /** The server soon gives up a reader that is busy publishing. */
  private static World impatient(World world) {
    world.execute(
        "ALTER ROLE waybill_capture IN DATABASE "
            + world.database().name()
            + " SET wal_sender_timeout = '5s'");
    return world;
  }
}
