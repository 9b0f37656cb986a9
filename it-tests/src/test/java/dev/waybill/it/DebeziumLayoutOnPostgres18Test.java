package dev.waybill.it;

import dev.waybill.it.world.World;

class DebeziumLayoutOnPostgres18Test extends DebeziumLayoutSuite {

  DebeziumLayoutOnPostgres18Test() {
    super(World.onPostgres(18));
  }
}
