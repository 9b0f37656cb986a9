package dev.waybill.it.service;

import dev.waybill.event.OutboxEvent;
import dev.waybill.it.world.World;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;

/**
 * The orders service: several threads change orders, each change a business row and an event in one
 * transaction; some transactions are rolled back. When the database dies, a writer waits for it,
 * and then finds out what became of the transaction whose commit was never answered.
 */
public final class Orders implements AutoCloseable {

  /** What the events of this service are called. */
  static final String CHANGED = "OrderChanged";

  static final String AGGREGATE = "order";

  private static final int ORDERS = 6;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final World world;
  private final ExecutorService threads;
  private final List<Future<?>> writers = new ArrayList<>();
  private final AtomicInteger interrupted = new AtomicInteger();
  private volatile boolean stopping;

  private Orders(World world, int writers) {
    this.world = world;
    this.threads = Executors.newFixedThreadPool(writers);
  }

  /** Makes the business table. */
  public static void createTable(World world) {
    world.execute(
        "CREATE TABLE order_change (event_id varchar(64) PRIMARY KEY,"
            + " order_id varchar(64) NOT NULL, version bigint NOT NULL,"
            + " UNIQUE (order_id, version))");
  }

  /** Starts writers that pause for {@code pause} after each transaction. */
  public static Orders start(World world, int writers, Duration pause, long seed) {
    Orders orders = new Orders(world, writers);
    for (int i = 0; i < writers; i++) {
      Writer writer = new Writer(world, "w" + i, new SplittableRandom(seed + i));
      orders.writers.add(orders.threads.submit(() -> orders.run(writer, pause)));
    }
    return orders;
  }

  /** Changes orders of one writer in {@code transactions} transactions, in this thread. */
  public static void write(World world, String writer, int transactions, long seed)
      throws SQLException {
    try (Writer each = new Writer(world, writer, new SplittableRandom(seed))) {
      for (int i = 0; i < transactions; i++) {
        each.transaction();
      }
    }
  }

  /** Waits until {@code changes} more have been committed. */
  public void awaitMore(int changes) {
    long enough = count() + changes;
    Awaitility.await()
        .atMost(PATIENCE)
        .failFast("a writer has failed", () -> writers.stream().anyMatch(Future::isDone))
        .until(() -> count() >= enough);
  }

  /** How many transactions the death of the database has cut off. */
  public int interrupted() {
    return interrupted.get();
  }

  private long count() {
    return world.count("SELECT count(*) FROM order_change");
  }

  private Void run(Writer writer, Duration pause) throws SQLException {
    try (writer) {
      while (!stopping) {
        if (!writer.survivedTransaction()) {
          interrupted.incrementAndGet();
        }
        LockSupport.parkNanos(pause.toNanos());
      }
    }
    return null;
  }

  /** Stops the writers; what they committed is in the business table. Idempotent. */
  @Override
  public void close() {
    stopping = true;
    threads.shutdown();
    try {
      for (Future<?> writer : writers) {
        writer.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a writer failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  /** One thread's orders, which no other thread touches. */
  private static final class Writer implements AutoCloseable {

    private static final int MOST_CHANGES = 4;
    private static final double ROLLED_BACK = 0.1;

    private final String name;
    private final RandomGenerator random;
    private final World world;
    private final long[] versions = new long[ORDERS];
    private Connection connection;
    private long made;

    Writer(World world, String name, RandomGenerator random) {
      this.world = world;
      this.name = name;
      this.random = random;
      try {
        this.connection = world.begin();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Returns false if the database died meanwhile; it is back then. */
    boolean survivedTransaction() throws SQLException {
      long[] before = versions.clone();
      String first = id(made + 1);
      try {
        transaction();
        return true;
      } catch (SQLException e) {
        if (!world.vendor().isDeathOfDatabase(e)) {
          throw e;
        }
        reconnect();
        if (!isCommitted(first)) {
          System.arraycopy(before, 0, versions, 0, ORDERS);
        }
        return false;
      }
    }

    void transaction() throws SQLException {
      long[] before = versions.clone();
      List<OutboxEvent> events = new ArrayList<>();
      for (int i = random.nextInt(MOST_CHANGES); i >= 0; i--) {
        events.add(change(random.nextInt(ORDERS)));
      }
      world.outbox().append(connection, events);
      if (random.nextDouble() < ROLLED_BACK) {
        connection.rollback();
        System.arraycopy(before, 0, versions, 0, ORDERS);
      } else {
        connection.commit();
      }
    }

    private void reconnect() throws SQLException {
      connection.close();
      connection =
          Awaitility.await()
              .atMost(PATIENCE)
              .pollInSameThread()
              .ignoreExceptionsInstanceOf(SQLException.class)
              .until(world::begin, Objects::nonNull);
    }

    /** A transaction is there with its first change, or not at all. */
    private boolean isCommitted(String id) throws SQLException {
      try (PreparedStatement select =
          connection.prepareStatement("SELECT 1 FROM order_change WHERE event_id = ?")) {
        select.setString(1, id);
        try (ResultSet rows = select.executeQuery()) {
          return rows.next();
        }
      } finally {
        connection.rollback();
      }
    }

    private String id(long number) {
      return name + "-e" + number;
    }

    private OutboxEvent change(int order) throws SQLException {
      String id = id(++made);
      String orderId = name + "-" + order;
      long version = ++versions[order];
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO order_change VALUES (?, ?, ?)")) {
        insert.setString(1, id);
        insert.setString(2, orderId);
        insert.setLong(3, version);
        insert.executeUpdate();
      }
      return OutboxEvent.builder(AGGREGATE, orderId, CHANGED)
          .eventId(id)
          .aggregateVersion(version)
          .json("{\"order\":\"%s\",\"version\":%d}".formatted(orderId, version))
          .build();
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }
}
