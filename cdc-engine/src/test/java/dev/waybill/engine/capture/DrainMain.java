package dev.waybill.engine.capture;

import com.sun.management.OperatingSystemMXBean;
import dev.waybill.servers.PostgresServer;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Measures capture alone: drains one-row transactions into a handler that only counts, and prints
 * the rate and the CPU time of this process. Arguments: rows, batch size, poll interval in
 * milliseconds, queue size, queue bytes.
 */
final class DrainMain {

  private static final int ROWS_PER_CALL = 1_000;

  private DrainMain() {}

  public static void main(String[] args) throws Exception {
    int rows = Integer.parseInt(args[0]);
    SourceConfig.Pace pace =
        new SourceConfig.Pace(
            Duration.ofSeconds(5),
            Duration.ofMillis(Long.parseLong(args[2])),
            Integer.parseInt(args[1]),
            Integer.parseInt(args[3]),
            Long.parseLong(args[4]));
    try (PostgresServer server = PostgresServer.builder(16).start();
        Outbox outbox = Outbox.create(server, pace)) {
      Position start = outbox.begin();
      fill(outbox, rows);
      for (int i = 0; i < 3; i++) {
        drain(outbox, start, rows);
      }
    }
    System.exit(0);
  }

  /** A procedure commits each row by itself without a round trip for each. */
  private static void fill(Outbox outbox, int rows) throws Exception {
    outbox.execute(
        """
        CREATE PROCEDURE fill(f int, t int) LANGUAGE plpgsql AS $$
        BEGIN
          FOR n IN f..t LOOP
            INSERT INTO outbox_event
              (event_id, aggregate_type, aggregate_id, aggregate_version, event_type, payload)
            VALUES (gen_random_uuid(), 'Order', n % 1000, n, 'OrderPaid',
              json_build_object('id', n, 'text', repeat('x', 250)));
            COMMIT;
          END LOOP;
        END $$
        """);
    try (Connection connection = outbox.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET synchronous_commit = off");
      for (int from = 1; from <= rows; from += ROWS_PER_CALL) {
        statement.execute("CALL fill(" + from + ", " + (from + ROWS_PER_CALL - 1) + ")");
      }
    }
  }

  /** Nothing is acknowledged, so that it can be drained again. */
  private static void drain(Outbox outbox, Position start, int rows) throws Exception {
    Counting handler = new Counting(rows);
    try (Capture capture = outbox.source().capture(start, handler)) {
      while (!handler.done.await(1, TimeUnit.SECONDS)) {
        capture.awaitEnd(Duration.ZERO);
      }
    }
    double seconds = (handler.ended - handler.began) / 1e9;
    System.out.printf(
        "%,d rows in %.1f s: %,.0f/s; %.1f us CPU per row; batches of %.0f%n",
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
