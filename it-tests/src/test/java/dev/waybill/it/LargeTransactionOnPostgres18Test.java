package dev.waybill.it;

import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;

class LargeTransactionOnPostgres18Test extends LargeTransactionSuite {

  LargeTransactionOnPostgres18Test() {
    super(World.onPostgres(Servers.NEWEST));
  }
}
