package dev.waybill.it;

import dev.waybill.it.world.World;

class NoLossOnMySqlTest extends NoLossSuite {

  NoLossOnMySqlTest() {
    super(World.onMySql());
  }
}
