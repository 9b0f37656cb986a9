package dev.waybill.it;

import dev.waybill.it.world.World;

class CrashOnMySqlTest extends CrashSuite {

  CrashOnMySqlTest() {
    super(World.onMySql(), Kills.MANY);
  }
}
