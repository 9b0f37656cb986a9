package dev.waybill.it;

import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;

class ParkOnPostgres18Test extends ParkSuite {

  ParkOnPostgres18Test() {
    super(World.onPostgres(Servers.NEWEST));
  }
}
