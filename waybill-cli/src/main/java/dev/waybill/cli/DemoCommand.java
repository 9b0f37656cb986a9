package dev.waybill.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code waybill demo}: says where the demo is, since it needs servers that are not in here. */
@Command(
    name = "demo",
    description = "Says how to see everything at work on this machine.",
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine()
        .getOut()
        .println(
            """
            The demo starts a database, a broker and three services, which this distribution does
            not contain. In a checkout of Waybill's sources, on a machine with a JDK: ./waybill demo\
            """);
    return ExitCode.FINE.number();
  }
}
