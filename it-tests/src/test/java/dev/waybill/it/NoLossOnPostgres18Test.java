package dev.waybill.it;

import dev.waybill.it.world.World;

class NoLossOnPostgres18Test extends NoLossSuite {

  NoLossOnPostgres18Test() {
    super(World.onPostgres(18));
  }
}
