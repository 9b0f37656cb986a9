package dev.waybill.it;

import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;

class BytesOnPostgres14Test extends BytesSuite {

  BytesOnPostgres14Test() {
    super(World.onPostgres(14));
  }

  @Override
  World emptyWorld() {
    return World.empty(Servers.postgres(14), Servers.broker());
  }
}
