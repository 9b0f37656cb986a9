package dev.waybill.cli;

import java.util.concurrent.Callable;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code waybill}: the way in for people and scripts. */
@Command(
    name = "waybill",
    description = "Carries domain events from an application's database to Kafka.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      RunCommand.class,
      SchemaCommand.class,
      DoctorCommand.class,
      DemoCommand.class,
      CommandLine.HelpCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:fine, also after SIGTERM",
      "1:the check found something, or an event cannot be published (on-unpublishable: stop)",
      "2:command line, configuration or set-up is wrong",
      "3:a server cannot be reached (commands that do not wait)",
      "4:a gap: rows may be missing in Kafka",
      "5:a failure of Waybill itself"
    })
public final class Waybill implements Callable<Integer> {

  @Spec private CommandSpec spec;

  /** Runs a command and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    System.exit(execute(arguments));
  }

  /** An installation that lacks a class must not end like a check that found something. */
  private static int execute(String... arguments) {
    try {
      return commandLine().execute(arguments);
    } catch (Error failure) {
      failure.printStackTrace();
      return ExitCode.INTERNAL.number();
    }
  }

  static CommandLine commandLine() {
    return new CommandLine(new Waybill())
        .setExecutionExceptionHandler(Waybill::explain)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true);
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.CONFIGURATION.number();
  }

  /** What went wrong in words; the stack only where the words cannot be enough. */
  private static int explain(Exception failure, CommandLine command, ParseResult parsed) {
    ExitCode code = ExitCode.of(failure);
    if (code == ExitCode.INTERNAL) {
      failure.printStackTrace(command.getErr());
    } else {
      command.getErr().println(failure.getMessage());
    }
    return code.number();
  }
}
