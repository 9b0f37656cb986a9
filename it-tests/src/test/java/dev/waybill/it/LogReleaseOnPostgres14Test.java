package dev.waybill.it;

import dev.waybill.it.world.World;

class LogReleaseOnPostgres14Test extends PostgresLogReleaseSuite {

  LogReleaseOnPostgres14Test() {
    super(World.onPostgres(14));
  }
}
