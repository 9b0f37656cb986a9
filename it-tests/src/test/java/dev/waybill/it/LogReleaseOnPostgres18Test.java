package dev.waybill.it;

import dev.waybill.it.world.World;

class LogReleaseOnPostgres18Test extends LogReleaseSuite {

  LogReleaseOnPostgres18Test() {
    super(World.onPostgres(18));
  }
}
