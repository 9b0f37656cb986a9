package dev.waybill.it;

import dev.waybill.it.world.World;
import java.util.List;

class CrashOnMySqlTest extends CrashSuite {

  /** Each reader that the server ends costs the time after which the engine looks for it. */
  CrashOnMySqlTest() {
    super(World.onMySql(), new Kills(30, List.of(7), 2));
  }
}
