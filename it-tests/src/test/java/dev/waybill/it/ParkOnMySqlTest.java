package dev.waybill.it;

import dev.waybill.it.world.World;

class ParkOnMySqlTest extends ParkSuite {

  ParkOnMySqlTest() {
    super(World.onMySql());
  }

  @Override
  void allowAnyAggregateId() {
    world.execute(
        "ALTER TABLE outbox_event DROP CHECK "
            + world.query(
                "SELECT constraint_name FROM information_schema.check_constraints"
                    + " WHERE constraint_schema = database() AND check_clause LIKE '%aggregate_id%'"),
        "ALTER TABLE outbox_event MODIFY aggregate_id varchar(255)");
  }
}
