package dev.waybill.it;

import dev.waybill.it.world.World;

class DebeziumLayoutOnPostgres18Test extends DebeziumLayoutSuite {

  DebeziumLayoutOnPostgres18Test() {
    super(World.onPostgres(18));
  }

  @Override
  void createTable() {
    world.execute(
        """
        CREATE TABLE outboxevent (
          id uuid NOT NULL PRIMARY KEY,
          aggregatetype varchar(255) NOT NULL,
          aggregateid varchar(255) NOT NULL,
          type varchar(255) NOT NULL,
          payload jsonb
        )
        """,
        "GRANT SELECT ON outboxevent TO waybill_capture",
        "ALTER PUBLICATION waybill_" + world.engine() + " SET TABLE outboxevent");
  }

  @Override
  String asRead() {
    return "{\"order\": \"1\", \"version\": 2}";
  }
}
