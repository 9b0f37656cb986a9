package dev.waybill.it;

import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;

class CrashOnPostgres18Test extends PostgresCrashSuite {

  CrashOnPostgres18Test() {
    super(World.onPostgres(Servers.NEWEST), Kills.MANY);
  }
}
