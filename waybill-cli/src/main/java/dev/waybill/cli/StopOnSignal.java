package dev.waybill.cli;

import dev.waybill.engine.OutboxEngine;

/**
 * From {@link #listen()} until it is closed, SIGTERM and SIGINT close the engine and end the
 * process with 0, where the JVM would have said 143 or 130: a stop on demand is no failure.
 */
final class StopOnSignal implements AutoCloseable {

  private final Thread hook;

  StopOnSignal(OutboxEngine engine) {
    this.hook = new Thread(() -> stop(engine), "waybill-stop");
  }

  void listen() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private static void stop(OutboxEngine engine) {
    engine.close();
    ExitCode code = engine.failure().map(ExitCode::of).orElse(ExitCode.FINE);
    Runtime.getRuntime().halt(code.number());
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook is running: it ends the process.
    }
  }
}
