package dev.waybill.it;

import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;

class BytesOnPostgres18Test extends BytesSuite {

  BytesOnPostgres18Test() {
    super(World.onPostgres(18));
  }

  @Override
  World emptyWorld() {
    return World.empty(Servers.postgres(18), Servers.broker());
  }
}
