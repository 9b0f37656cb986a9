package dev.waybill.it.service;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.consumer.ConsumerListener;
import dev.waybill.consumer.Delivery;
import dev.waybill.consumer.EventConsumer;
import dev.waybill.consumer.guard.EventTransaction;
import dev.waybill.consumer.guard.Guard;
import dev.waybill.consumer.handle.Outcome;
import dev.waybill.consumer.handle.RetryPolicy;
import dev.waybill.event.Event;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A service downstream in a JVM of its own: it adds an effect for every change of an order, says
 * what it takes for a duplicate, and halts the JVM, as a power cut would, when it reaches a point
 * for the nth time.
 *
 * <p>Arguments: bootstrap servers; URL, user and password of its database; group; topic; then, if
 * it is to halt, a point and a number.
 */
final class ServiceMain {

  static final int HALTED = 99;
  static final String STARTED = "started";
  static final String DUPLICATE = "duplicate ";

  private ServiceMain() {}

  /** The payload of an event. */
  record OrderChanged(String order, long version, boolean poisonous) {}

  public static void main(String[] arguments) throws InterruptedException {
    try (HikariDataSource dataSource = new HikariDataSource()) {
      dataSource.setJdbcUrl(arguments[1]);
      dataSource.setUsername(arguments[2]);
      dataSource.setPassword(arguments[3]);
      String group = arguments[4];
      Halting halting =
          arguments.length == 6
              ? new Halting(null, 0)
              : new Halting(
                  ServiceProcess.Point.valueOf(arguments[6]), Integer.parseInt(arguments[7]));
      EventConsumer consumer =
          EventConsumer.builder(group)
              .topics(arguments[5])
              .kafka(kafka(arguments[0]))
              .dataSource(dataSource)
              .guard(Guard.inbox().and(Guard.aggregateVersion()))
              .retry(RetryPolicy.after(Duration.ofMillis(50)))
              .commitInterval(Duration.ofMillis(200))
              .on(
                  Orders.CHANGED,
                  OrderChanged.class,
                  (order, event, tx) -> {
                    addEffect(group, order, event, tx);
                    halting.reached(ServiceProcess.Point.WRITTEN);
                  })
              .listener(halting)
              .build();
      Runtime.getRuntime().addShutdownHook(new Thread(consumer::close));
      consumer.start();
      System.out.println(STARTED);
      new CountDownLatch(1).await();
    }
  }

  private static Map<String, String> kafka(String bootstrapServers) {
    return Map.of(
        "bootstrap.servers", bootstrapServers,
        "session.timeout.ms", "3000",
        "heartbeat.interval.ms", "500",
        "reconnect.backoff.max.ms", "500");
  }

  private static void addEffect(String group, OrderChanged order, Event event, EventTransaction tx)
      throws SQLException {
    try (PreparedStatement insert =
        tx.connection()
            .prepareStatement(
                "INSERT INTO effect (consumer_group, event_id, order_id, version)"
                    + " VALUES (?, ?, ?, ?)")) {
      insert.setString(1, group);
      insert.setString(2, event.id());
      insert.setString(3, order.order());
      insert.setLong(4, order.version());
      insert.executeUpdate();
    }
    if (order.poisonous()) {
      throw new IllegalStateException("poisonous: " + event.id());
    }
  }

  private static final class Halting implements ConsumerListener {

    private final ServiceProcess.@Nullable Point point;
    private final AtomicInteger left;

    Halting(ServiceProcess.@Nullable Point point, int times) {
      this.point = point;
      this.left = new AtomicInteger(times);
    }

    void reached(ServiceProcess.Point reached) {
      if (reached == point && left.decrementAndGet() == 0) {
        Runtime.getRuntime().halt(HALTED);
      }
    }

    @Override
    public void handled(Delivery delivery, Outcome.Handled outcome) {
      reached(ServiceProcess.Point.COMMITTED);
    }

    @Override
    public void duplicate(Delivery delivery, Outcome.Duplicate outcome) {
      System.out.println(DUPLICATE + delivery);
    }
  }
}
