package dev.waybill.it;

import dev.waybill.it.world.World;

class FirstStartOnPostgres14Test extends FirstStartSuite {

  FirstStartOnPostgres14Test() {
    super(World.onPostgres(14));
  }
}
