package dev.waybill.quickstart.demo;

import dev.waybill.quickstart.demo.Books.Comparison;
import dev.waybill.quickstart.demo.Books.Standing;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * {@code ./waybill demo}: orders become reserved stock and granted points, while processes are
 * killed. Passes if, at the end, the three databases agree about every product and every customer.
 */
public final class Demo implements AutoCloseable {

  private static final String STREAMING = "streaming";
  private static final Duration ENGINE_PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_MILLIS = 200;

  private final Options options;
  private final Site site;
  private final Screen screen;
  private final ServicePart engine;
  private final ServicePart ordersService;
  private final ServicePart inventoryService;
  private final ServicePart pointsService;
  private final List<Guardian> guardians = Collections.synchronizedList(new ArrayList<>());

  private Demo(Options options, Site site, Screen screen) {
    this.options = options;
    this.site = site;
    this.screen = screen;
    this.engine = site.engine();
    this.ordersService = site.ordersService();
    this.inventoryService = site.inventoryService();
    this.pointsService = site.pointsService();
  }

  /** Exits with 0 if the books match, with 1 if not, with 2 if the command line is wrong. */
  public static void main(String[] arguments) throws Exception {
    System.exit(exitCode(List.of(arguments)));
  }

  private static int exitCode(List<String> arguments) throws Exception {
    try {
      return run(Options.parse(arguments)) ? 0 : 1;
    } catch (Options.UsageException e) {
      System.err.println(e.getMessage() + "\n\n" + Options.USAGE);
      return 2;
    }
  }

  private static boolean run(Options options) throws Exception {
    Clock clock = Clock.systemUTC();
    Screen screen = new Screen(System.out, options.terminal(), clock);
    screen.say("Starting %s and a Kafka broker".formatted(options.database().product()));
    try (Site site = Site.open(options);
        Demo demo = new Demo(options, site, screen)) {
      Runtime.getRuntime().addShutdownHook(new Thread(demo::close, "let-go"));
      return demo.play(clock);
    }
  }

  private boolean play(Clock clock) throws Exception {
    site.servers(clock).forEach(this::guard);
    Patience.withDatabase(site::setUp);
    List.of(engine, inventoryService, pointsService).forEach(this::startAndGuard);
    awaitEngine(clock);
    startAndGuard(ordersService);
    Books books = site.books();
    Story story = new Story(options.orders(), clock, this::show);
    story.turn(options.orders() / 3, () -> kill(engine));
    story.turn(options.orders() * 2 / 3, () -> kill(inventoryService));
    boolean ended = story.follow(books);
    boolean passed = judge(Patience.withDatabase(books::balance), ended);
    if (options.keep()) {
      screen.print(site.addresses() + "\nEverything keeps running. Ctrl-C ends it.");
      new CountDownLatch(1).await();
    }
    return passed;
  }

  private void startAndGuard(Part part) {
    part.start();
    guard(part);
  }

  /** Only for the figures: orders that are placed before it is there are announced all the same. */
  private void awaitEngine(Clock clock) throws InterruptedException {
    Instant deadline = clock.instant().plus(ENGINE_PATIENCE);
    while (!STREAMING.equals(site.engineState()) && clock.instant().isBefore(deadline)) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  private void guard(Part part) {
    screen.say("%-17s  runs, pid %d".formatted(part.name(), part.pid()));
    guardians.add(Guardian.of(part, screen));
  }

  private void kill(ServicePart part) {
    screen.say("Killing the %s with SIGKILL, pid %d".formatted(part.name(), part.pid()));
    part.kill();
  }

  /** Within 80 columns: a line that breaks could not be painted over. */
  private void show(Standing now, Standing perSecond) {
    Reports inventory = Reports.of(inventoryService);
    Reports points = Reports.of(pointsService);
    screen.show(
        List.of(
            "engine          %s".formatted(Objects.requireNonNullElse(site.engineState(), "-")),
            "orders placed   %,9d              %,7d/s".formatted(now.placed(), perSecond.placed()),
            progress(
                "stock reserved", now.reserved(), now.pieces(), perSecond.reserved(), inventory),
            progress("points granted", now.granted(), now.points(), perSecond.granted(), points),
            "duplicates suppressed %,d".formatted(inventory.duplicates() + points.duplicates())));
  }

  private static String progress(String what, long done, long of, long perSecond, Reports reports) {
    String delay = reports.delay() < 0 ? "-" : "%,d ms".formatted(reports.delay());
    return "%s  %,9d of %,9d %,7d/s  delay %s".formatted(what, done, of, perSecond, delay);
  }

  private boolean judge(Books.Balance balance, boolean ended) {
    Comparison stock = balance.stock();
    Comparison points = balance.points();
    screen.settle();
    screen.print(
        """

        after %,d orders              from the orders    in the service
        pieces of stock reserved      %,15d   %,15d   %s
        points granted                %,15d   %,15d   %s
        duplicates suppressed                           %,15d
        """
            .formatted(
                balance.standing().placed(),
                stock.expectedSum(),
                stock.foundSum(),
                verdict(stock, "products"),
                points.expectedSum(),
                points.foundSum(),
                verdict(points, "customers"),
                Reports.of(inventoryService).duplicates()
                    + Reports.of(pointsService).duplicates()));
    boolean passed = ended && balance.matches();
    screen.print(passed ? "PASS" : "FAIL: " + why(balance.standing(), ended));
    return passed;
  }

  private static String verdict(Comparison comparison, String entries) {
    return comparison.matches()
        ? "all %d %s match".formatted(comparison.expected().size(), entries)
        : "DIFFERENT: " + comparison.differences();
  }

  private String why(Standing standing, boolean ended) {
    String reason =
        ended ? "the books do not match" : "nothing has moved for two minutes, at " + standing;
    return reason + ". The logs of all processes are in " + options.logs().toAbsolutePath();
  }

  /** Lets the processes end without starting them again. */
  @Override
  public void close() {
    guardians.forEach(Guardian::close);
  }
}
