package dev.waybill.it;

import dev.waybill.it.world.World;

class CommandLineOnPostgres18Test extends CommandLineSuite {

  CommandLineOnPostgres18Test() {
    super(World.onPostgres(18));
  }
}
