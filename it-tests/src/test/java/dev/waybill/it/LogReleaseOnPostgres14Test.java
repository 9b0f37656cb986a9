package dev.waybill.it;

import dev.waybill.it.world.World;

class LogReleaseOnPostgres14Test extends LogReleaseSuite {

  LogReleaseOnPostgres14Test() {
    super(World.onPostgres(14));
  }
}
