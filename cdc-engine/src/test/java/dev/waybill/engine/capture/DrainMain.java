package dev.waybill.engine.capture;

import com.sun.management.OperatingSystemMXBean;
import dev.waybill.engine.capture.SourceConfig.Login;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.MySqlServer;
import dev.waybill.servers.PostgresServer;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Measures capture alone: drains transactions of one outbox row into a handler that only counts,
 * and prints the rate and the CPU time of this process. Arguments: postgres or mysql, rows, rows of
 * another table in each transaction, and what is added to the URL, once for each way to be measured
 * ({@code ?sslMode=REQUIRED}).
 */
final class DrainMain {

  private static final int ROWS_PER_CALL = 1_000;

  private DrainMain() {}

  public static void main(String[] args) throws Exception {
    boolean isMySql = args[0].equals("mysql");
    int rows = Integer.parseInt(args[1]);
    int others = Integer.parseInt(args[2]);
    List<String> ways = args.length > 3 ? List.of(args).subList(3, args.length) : List.of("");
    try (DatabaseServer server =
            isMySql ? MySqlServer.builder().start() : PostgresServer.builder(16).start();
        Outbox outbox = Outbox.create(server, PACE)) {
      Position start = outbox.begin();
      fill(outbox, isMySql ? FILL_MYSQL : FILL_POSTGRES, rows, others);
      for (int i = 0; i < 3; i++) {
        for (String way : ways) {
          Login login = outbox.config().login();
          drain(
              outbox.sourceAs(new Login(login.url() + way, login.user(), login.password())),
              way,
              start,
              rows);
        }
      }
    }
    System.exit(0);
  }

  private static final SourceConfig.Pace PACE =
      new SourceConfig.Pace(Duration.ofSeconds(5), Duration.ofMillis(5), 2_048, 8_192, 64L << 20);

  private static final String FILL_POSTGRES =
      """
      CREATE PROCEDURE fill(f int, t int, others int) LANGUAGE plpgsql AS $$
      BEGIN
        FOR n IN f..t LOOP
          FOR o IN 1..others LOOP
            INSERT INTO business (note) VALUES (repeat('y', 100));
          END LOOP;
          INSERT INTO outbox_event
            (event_id, aggregate_type, aggregate_id, aggregate_version, event_type, payload)
          VALUES (gen_random_uuid(), 'Order', n % 1000, n, 'OrderPaid',
            json_build_object('id', n, 'text', repeat('x', 250)));
          COMMIT;
        END LOOP;
      END $$
      """;

  private static final String FILL_MYSQL =
      """
      CREATE PROCEDURE fill(n INT, t INT, others INT)
      WHILE n <= t DO
        START TRANSACTION;
        SET @o = 0;
        WHILE @o < others DO
          INSERT INTO business (note) VALUES (repeat('y', 100));
          SET @o = @o + 1;
        END WHILE;
        INSERT INTO outbox_event
          (event_id, aggregate_type, aggregate_id, aggregate_version, event_type, payload)
        VALUES (uuid(), 'Order', n % 1000, n, 'OrderPaid',
          concat('{"id": ', n, ', "text": "', repeat('x', 250), '"}'));
        COMMIT;
        SET n = n + 1;
      END WHILE
      """;

  /** A procedure commits each row by itself without a round trip for each. */
  private static void fill(Outbox outbox, String procedure, int rows, int others)
      throws SQLException {
    outbox.execute("CREATE TABLE business (id SERIAL PRIMARY KEY, note VARCHAR(200))", procedure);
    try (Connection connection = outbox.connect();
        Statement statement = connection.createStatement()) {
      if (outbox.config().type() == SourceConfig.Type.POSTGRES) {
        statement.execute("SET synchronous_commit = off");
      }
      for (int from = 1; from <= rows; from += ROWS_PER_CALL) {
        statement.execute(
            "CALL fill(%d, %d, %d)".formatted(from, from + ROWS_PER_CALL - 1, others));
      }
    }
  }

  /** Nothing is acknowledged, so that it can be drained again. */
  private static void drain(Source source, String way, Position start, int rows)
      throws InterruptedException {
    Counting handler = new Counting(rows);
    try (Capture capture = source.capture(start, handler)) {
      while (!handler.done.await(1, TimeUnit.SECONDS)) {
        capture.awaitEnd(Duration.ZERO);
      }
    }
    double seconds = (handler.ended - handler.began) / 1e9;
    System.out.printf(
        "%s %,d rows in %.1f s: %,.0f/s; %.1f us CPU per row; batches of %.0f%n",
        way,
        rows,
        seconds,
        rows / seconds,
        (handler.cpuEnded - handler.cpuBegan) / 1e3 / rows,
        (double) rows / handler.batches);
  }

  private static final class Counting implements BatchHandler {

    private final OperatingSystemMXBean system =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final CountDownLatch done = new CountDownLatch(1);
    private final int rows;
    private int seen;
    private int batches;
    private long began;
    private long ended;
    private long cpuBegan;
    private long cpuEnded;

    Counting(int rows) {
      this.rows = rows;
    }

    @Override
    public void handle(CapturedBatch batch) {
      if (seen == 0) {
        began = System.nanoTime();
        cpuBegan = system.getProcessCpuTime();
      }
      seen += batch.changes().size();
      batches++;
      if (seen >= rows) {
        ended = System.nanoTime();
        cpuEnded = system.getProcessCpuTime();
        done.countDown();
      }
    }
  }
}
