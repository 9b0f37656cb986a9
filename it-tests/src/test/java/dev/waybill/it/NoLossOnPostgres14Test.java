package dev.waybill.it;

import dev.waybill.it.world.World;

class NoLossOnPostgres14Test extends NoLossSuite {

  NoLossOnPostgres14Test() {
    super(World.onPostgres(14));
  }
}
