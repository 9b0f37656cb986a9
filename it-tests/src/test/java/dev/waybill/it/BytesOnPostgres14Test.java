package dev.waybill.it;

import dev.waybill.it.world.World;

class BytesOnPostgres14Test extends PostgresBytesSuite {

  BytesOnPostgres14Test() {
    super(World.onPostgres(14));
  }
}
