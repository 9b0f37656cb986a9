package dev.waybill.it;

import dev.waybill.it.world.World;

class LargeTransactionOnMySqlTest extends LargeTransactionSuite {

  LargeTransactionOnMySqlTest() {
    super(World.onMySql());
  }
}
