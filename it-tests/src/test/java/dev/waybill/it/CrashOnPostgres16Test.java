package dev.waybill.it;

import dev.waybill.it.world.World;

class CrashOnPostgres16Test extends PostgresCrashSuite {

  CrashOnPostgres16Test() {
    super(World.onPostgres(16), Kills.FEW);
  }
}
