package dev.waybill.it;

import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.PostgresServer;

class ConfigurationOnPostgres18Test extends ConfigurationSuite {

  ConfigurationOnPostgres18Test() {
    super(World.onPostgres(18));
  }

  @Override
  DatabaseServer unfitServer() {
    return PostgresServer.builder(18)
        .setting("wal_level", "replica")
        .setting("max_replication_slots", "1")
        .start();
  }

  @Override
  World emptyWorld() {
    return World.empty(Servers.postgres(18), Servers.broker());
  }
}
