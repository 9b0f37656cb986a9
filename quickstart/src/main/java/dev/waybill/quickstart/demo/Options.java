package dev.waybill.quickstart.demo;

import dev.waybill.quickstart.service.DatabaseKind;
import java.nio.file.Path;
import java.util.List;

/**
 * What the demo was asked for.
 *
 * @param database what the services' databases are
 * @param keep whether everything stays up at the end
 * @param orders how many orders are placed
 * @param perSecond how many of them in a second
 * @param terminal whether somebody looks at a terminal
 * @param distribution the folder of the command line's distribution
 * @param logs the folder for the logs of all processes
 */
record Options(
    DatabaseKind database,
    boolean keep,
    long orders,
    long perSecond,
    boolean terminal,
    Path distribution,
    Path logs) {

  static final String USAGE =
      """
      Usage: ./waybill demo [--database postgres|mysql] [--keep] [--orders N] [--rate N]
        --database D   the database of every service (postgres)
        --keep         leave everything running at the end, with the addresses to try by hand
        --orders N     how many orders are placed (7500)
        --rate N       how many orders are placed in a second (250)
      """;

  /** The command line cannot be followed; the message says why. */
  static final class UsageException extends Exception {

    private static final long serialVersionUID = 1L;

    UsageException(String message) {
      super(message);
    }
  }

  static Options parse(List<String> arguments) throws UsageException {
    DatabaseKind database = DatabaseKind.POSTGRESQL;
    boolean keep = false;
    long orders = 7_500;
    long perSecond = 250;
    for (int i = 0; i < arguments.size(); i++) {
      switch (arguments.get(i)) {
        case "--keep" -> keep = true;
        case "--orders" -> orders = number(arguments, ++i);
        case "--rate" -> perSecond = number(arguments, ++i);
        case "--database" -> database = database(arguments, ++i);
        default -> throw new UsageException("'" + arguments.get(i) + "' is no option of the demo");
      }
    }
    return new Options(
        database,
        keep,
        orders,
        perSecond,
        Boolean.getBoolean("waybill.terminal"),
        Path.of(System.getProperty("waybill.distribution", "waybill-cli/target/waybill")),
        Path.of(System.getProperty("waybill.logs", "target/demo")));
  }

  private static DatabaseKind database(List<String> arguments, int i) throws UsageException {
    String type = argument(arguments, i);
    return DatabaseKind.ofType(type)
        .orElseThrow(
            () ->
                new UsageException(
                    "There is no demo on '" + type + "', only on postgres and mysql"));
  }

  private static long number(List<String> arguments, int i) throws UsageException {
    String text = argument(arguments, i);
    if (!text.matches("[1-9][0-9]{0,8}")) {
      throw new UsageException(
          arguments.get(i - 1) + " takes a number from 1 on, and not '" + text + "'");
    }
    return Long.parseLong(text);
  }

  private static String argument(List<String> arguments, int i) throws UsageException {
    if (i >= arguments.size()) {
      throw new UsageException(arguments.get(i - 1) + " takes a value");
    }
    return arguments.get(i);
  }
}
