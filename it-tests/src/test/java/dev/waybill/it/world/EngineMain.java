package dev.waybill.it.world;

import dev.waybill.engine.EngineConfig;
import dev.waybill.engine.EngineListener;
import dev.waybill.engine.EngineState;
import dev.waybill.engine.EngineStatus;
import dev.waybill.engine.OutboxEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An engine in a JVM of its own that says its states, and halts the JVM, as a power cut would, when
 * it reaches a point for the nth time.
 *
 * <p>Arguments: the configuration file; then, if it is to halt, a point and a number.
 */
final class EngineMain {

  static final int HALTED = 99;
  static final String STATE = "state ";

  private EngineMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    EngineConfig config = EngineConfig.read(Path.of(arguments[0]), System.getenv());
    EngineListener listener =
        arguments.length == 1
            ? new Saying()
            : new Halting(
                EngineListener.Point.valueOf(arguments[1]), Integer.parseInt(arguments[2]));
    OutboxEngine engine = OutboxEngine.builder(config).listener(listener).build();
    Runtime.getRuntime().addShutdownHook(new Thread(engine::close));
    engine.start();
    while (!engine.awaitEnd(Duration.ofMinutes(1))) {
      // Until it ends or the JVM does.
    }
    engine.failure().ifPresent(failure -> System.out.println("failure " + failure));
  }

  private static class Saying implements EngineListener {

    @Override
    public void stateChanged(EngineStatus before, EngineStatus after) {
      EngineState state = after.state();
      System.out.println(STATE + state + " " + after.reason());
    }
  }

  private static final class Halting extends Saying {

    private final Point point;
    private final AtomicInteger left;

    Halting(Point point, int times) {
      this.point = point;
      this.left = new AtomicInteger(times);
    }

    @Override
    public void reached(Point reached) {
      if (reached == point && left.decrementAndGet() == 0) {
        Runtime.getRuntime().halt(HALTED);
      }
    }
  }
}
