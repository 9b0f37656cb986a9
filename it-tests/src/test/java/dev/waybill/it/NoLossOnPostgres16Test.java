package dev.waybill.it;

import dev.waybill.it.world.World;

class NoLossOnPostgres16Test extends NoLossSuite {

  NoLossOnPostgres16Test() {
    super(World.onPostgres(16));
  }
}
