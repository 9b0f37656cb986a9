package dev.waybill.it;

import dev.waybill.it.world.World;
import java.util.List;

class CrashOnMySqlTest extends CrashSuite {

  CrashOnMySqlTest() {
    super(World.onMySql(), new Kills(30, List.of(7)));
  }
}
