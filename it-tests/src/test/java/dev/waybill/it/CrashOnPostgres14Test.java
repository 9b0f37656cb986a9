package dev.waybill.it;

import dev.waybill.it.world.World;

class CrashOnPostgres14Test extends PostgresCrashSuite {

  CrashOnPostgres14Test() {
    super(World.onPostgres(14), Kills.FEW);
  }
}
