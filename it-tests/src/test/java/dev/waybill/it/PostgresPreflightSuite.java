package dev.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.PostgresServer;

/** PostgreSQL: the log's level, slots, a publication and a user who may replicate. */
abstract class PostgresPreflightSuite extends PreflightSuite {

  private final int version;

  PostgresPreflightSuite(int version) {
    this.version = version;
  }

  @Override
  DatabaseServer unfitServer() {
    return PostgresServer.builder(version)
        .setting("wal_level", "replica")
        .setting("max_replication_slots", "1")
        .start();
  }

  @Override
  DatabaseServer sharedServer() {
    return Servers.postgres(version);
  }

  @Override
  void spoil(World unfit) {
    unfit.execute(
        "CREATE ROLE poor LOGIN PASSWORD 'poor'",
        "SELECT pg_create_physical_replication_slot('somebody_elses')");
  }

  @Override
  String[] problems(World unfit) {
    return new String[] {
      "wal_level is 'replica'",
      "user poor may not replicate",
      "user poor may not read table public.outbox_event",
      "publication waybill_" + unfit.engine() + " does not exist",
      "all 1 replication slots are in use"
    };
  }

  @Override
  void assertNothingWasMade(World unfit) {
    assertThat(unfit.query("SELECT string_agg(slot_name, ',') FROM pg_replication_slots"))
        .isEqualTo("somebody_elses");
    assertThat(unfit.count("SELECT count(*) FROM pg_publication")).isZero();
  }

  @Override
  String[] schema(String engine) {
    return new String[] {"schema", "--engine", engine};
  }

  @Override
  void createUsers(World world) {
    world.execute(
        "ALTER ROLE waybill_capture PASSWORD 'waybill_capture'",
        "DROP ROLE IF EXISTS shop_application",
        "CREATE ROLE shop_application LOGIN PASSWORD 'secret' IN ROLE waybill_writer");
  }
}
