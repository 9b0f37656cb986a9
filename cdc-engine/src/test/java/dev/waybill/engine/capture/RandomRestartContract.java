package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.capture.SourceConfig.Pace;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Captures that end at any point, one after the other, under writers of transactions of every kind.
 * The handler stores changes and position together, so each row must come exactly once, behind
 * whatever was stored; acknowledged or not makes no difference.
 */
abstract class RandomRestartContract {

  abstract Outbox create(Pace pace) throws SQLException;

  /** One statement that inserts the rows {@code writer-number} and so on. */
  abstract void insertAtOnce(Connection connection, int writer, int number, int rows)
      throws Exception;

  /** What else the database can do at once; up to 12 rows. */
  abstract void copy(Connection connection, int writer, int number, int rows) throws Exception;

  private static final int RESTARTS = 12;
  private static final int WRITERS = 3;

  /** How many rows a writer may be ahead of what is stored; more would only have to be read. */
  private static final int MOST_AHEAD = 1_000;

  /** The number of each writer's row that was stored last; guarded by this. */
  private final int[] stored = new int[WRITERS];

  /** Ends with an exception before or after storing, or after acknowledging, a batch. */
  private final class EndingHandler extends RecordingHandler {

    private final RandomGenerator random;
    private int batches;

    EndingHandler(Position start, RandomGenerator random) {
      super(start);
      this.random = random;
      this.batches = random.nextInt(1, 40);
    }

    @Override
    public void handle(CapturedBatch batch) throws InterruptedException {
      boolean last = --batches == 0;
      int end = random.nextInt(3);
      endIf(last && end == 0);
      store(batch);
      batch.changes().forEach(change -> note(Objects.requireNonNull(change.row().eventId())));
      endIf(last && end == 1);
      batch.acknowledge();
      endIf(last);
    }

    private static void endIf(boolean now) {
      if (now) {
        throw new EndOfTest();
      }
    }
  }

  private synchronized void note(String eventId) {
    stored[writer(eventId)] = number(eventId);
    notifyAll();
  }

  private synchronized void awaitRoom(int writer, int number, AtomicBoolean stop)
      throws InterruptedException {
    while (number - stored[writer] > MOST_AHEAD && !stop.get()) {
      wait();
    }
  }

  private synchronized void stop(AtomicBoolean stop) {
    stop.set(true);
    notifyAll();
  }

  private static int writer(String eventId) {
    return Integer.parseInt(eventId.substring(0, eventId.indexOf('-')));
  }

  private static int number(String eventId) {
    return Integer.parseInt(eventId.substring(eventId.indexOf('-') + 1));
  }

  private static final class EndOfTest extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Test
  @Timeout(300)
  void every_row_comes_once_and_in_order_whatever_ends_the_capture() throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    AtomicBoolean stop = new AtomicBoolean();
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    List<String> captured = new ArrayList<>();
    try (Outbox outbox = create(new Pace(Duration.ofMillis(50), Duration.ofMillis(5), 7, 64, 0))) {
      Position position = outbox.begin();
      List<Future<?>> writing = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        RandomGenerator own = random.split();
        writing.add(writers.submit(() -> write(outbox, writer, own, stop)));
      }
      for (int i = 0; i < RESTARTS; i++) {
        EndingHandler handler = new EndingHandler(position, random);
        try (Capture capture = outbox.source().capture(position, handler)) {
          awaitEndOfTest(capture);
        }
        captured.addAll(handler.eventIds());
        position = outbox.source().position(handler.position().toMap());
      }
      stop(stop);
      for (Future<?> writer : writing) {
        writer.get();
      }
      List<String> committed = outbox.query("SELECT event_id FROM outbox_event");
      try (Reading last = Reading.of(outbox, position)) {
        captured.addAll(last.awaitEventIds(committed.size() - captured.size()));
      }
      assertThat(captured)
          .as("seed %s", seed)
          .doesNotHaveDuplicates()
          .containsExactlyInAnyOrderElementsOf(committed);
      assertThat(outOfOrder(captured)).as("seed %s", seed).isEmpty();
    } finally {
      stop(stop);
      writers.shutdownNow();
    }
  }

  private static void awaitEndOfTest(Capture capture) throws InterruptedException {
    try {
      assertThat(capture.awaitEnd(Duration.ofSeconds(60))).isFalse();
      throw new AssertionError("the capture did not come to its last batch");
    } catch (EndOfTest e) {
      // as it should
    }
  }

  /** Transactions of a writer follow each other: their rows are numbered in commit order. */
  private static List<String> outOfOrder(List<String> eventIds) {
    Map<Integer, Integer> last = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    for (String id : eventIds) {
      Integer before = last.put(writer(id), number(id));
      if (before != null && before >= number(id)) {
        wrong.add(id);
      }
    }
    return wrong;
  }

  private Void write(Outbox outbox, int writer, RandomGenerator random, AtomicBoolean stop)
      throws Exception {
    try (Connection connection = outbox.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE business_" + writer + " (id int)");
      connection.setAutoCommit(false);
      int number = 0;
      while (!stop.get()) {
        awaitRoom(writer, number, stop);
        int rows = random.nextInt(1, 12);
        switch (random.nextInt(6)) {
          case 0 -> copy(connection, writer, number, rows);
          case 1 -> statement.execute("INSERT INTO business_" + writer + " VALUES (1)");
          case 2 -> insertAtOnce(connection, writer, number, rows);
          default -> {
            for (int i = 0; i < rows; i++) {
              Outbox.insert(connection, writer + "-" + (number + i));
            }
          }
        }
        if (random.nextInt(8) == 0) {
          connection.rollback();
        } else {
          connection.commit();
        }
        number += rows;
      }
      return null;
    }
  }
}
