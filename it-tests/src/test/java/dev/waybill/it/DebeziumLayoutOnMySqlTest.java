package dev.waybill.it;

import dev.waybill.it.world.World;

class DebeziumLayoutOnMySqlTest extends DebeziumLayoutSuite {

  DebeziumLayoutOnMySqlTest() {
    super(World.onMySql());
  }

  @Override
  void createTable() {
    world.execute(
        """
        CREATE TABLE outboxevent (
          id varchar(255) NOT NULL PRIMARY KEY,
          aggregatetype varchar(255) NOT NULL,
          aggregateid varchar(255) NOT NULL,
          type varchar(255) NOT NULL,
          payload json
        )
        """,
        "GRANT SELECT ON outboxevent TO waybill_capture");
  }

  @Override
  String asRead() {
    return "{\"order\":\"1\",\"version\":2}";
  }
}
