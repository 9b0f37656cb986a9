package dev.waybill.it;

import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.PostgresServer;

class ConfigurationOnPostgres14Test extends ConfigurationSuite {

  ConfigurationOnPostgres14Test() {
    super(World.onPostgres(14));
  }

  @Override
  DatabaseServer unfitServer() {
    return PostgresServer.builder(14)
        .setting("wal_level", "replica")
        .setting("max_replication_slots", "1")
        .start();
  }

  @Override
  World emptyWorld() {
    return World.empty(Servers.postgres(14), Servers.broker());
  }
}
