package dev.waybill.it;

import dev.waybill.it.world.World;

class LogReleaseOnPostgres18Test extends PostgresLogReleaseSuite {

  LogReleaseOnPostgres18Test() {
    super(World.onPostgres(18));
  }
}
