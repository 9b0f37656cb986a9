package dev.waybill.cli;

import dev.waybill.engine.OutboxEngine;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code waybill run}: an engine until SIGTERM. */
@Command(
    name = "run",
    description = {
      "Runs the engine until SIGTERM or SIGINT, which end it cleanly with exit code 0.",
      "Waits for source and broker, however long they are away."
    },
    mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {

  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  @Mixin private ConfigFile config;

  @Override
  public Integer call() throws InterruptedException {
    try (OutboxEngine engine = OutboxEngine.builder(config.read()).build();
        StopOnSignal signal = new StopOnSignal(engine)) {
      signal.listen();
      engine.start();
      engine.awaitEnd(FOR_EVER);
      return engine.failure().map(ExitCode::of).orElse(ExitCode.FINE).number();
    }
  }
}
