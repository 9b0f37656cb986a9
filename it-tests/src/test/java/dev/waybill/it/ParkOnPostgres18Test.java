package dev.waybill.it;

import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;

class ParkOnPostgres18Test extends ParkSuite {

  ParkOnPostgres18Test() {
    super(World.onPostgres(Servers.NEWEST));
  }

  @Override
  void allowAnyAggregateId() {
    world.execute(
        "ALTER TABLE outbox_event DROP CONSTRAINT outbox_event_aggregate_id_check",
        "ALTER TABLE outbox_event ALTER aggregate_id DROP NOT NULL");
  }
}
