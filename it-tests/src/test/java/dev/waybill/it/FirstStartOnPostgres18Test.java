package dev.waybill.it;

import dev.waybill.it.world.World;

class FirstStartOnPostgres18Test extends FirstStartSuite {

  FirstStartOnPostgres18Test() {
    super(World.onPostgres(18));
  }
}
