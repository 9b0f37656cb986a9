package dev.waybill.it;

import dev.waybill.it.world.World;

class BytesOnPostgres18Test extends PostgresBytesSuite {

  BytesOnPostgres18Test() {
    super(World.onPostgres(18));
  }
}
