package dev.waybill.it;

import dev.waybill.it.world.World;

class FirstStartOnMySqlTest extends FirstStartSuite {

  FirstStartOnMySqlTest() {
    super(World.onMySql());
  }
}
