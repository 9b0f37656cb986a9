package dev.waybill.quickstart.orders;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.event.OutboxEvent;
import dev.waybill.outbox.Outbox;
import dev.waybill.quickstart.service.DatabaseKind;
import dev.waybill.quickstart.service.Environment;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places orders, and announces each in the transaction that places it. May be killed at any time:
 * the next one goes on where it was.
 */
public final class OrdersService {

  private static final Logger LOG = LoggerFactory.getLogger(OrdersService.class);
  private static final long PAUSE_MILLIS = 300;

  /** Connection lost, resources short, shut down or starting, transaction to be tried again. */
  private static final Set<String> PASSING = Set.of("08", "53", "57", "40");

  private static final String INSERT =
      """
      INSERT INTO orders (number, customer, product, quantity, total_cents) VALUES (?, ?, ?, ?, ?)
      """;

  private final Outbox outbox;
  private final String insertIfNew;
  private final DataSource database;
  private final ObjectMapper json = new ObjectMapper();

  private OrdersService(DataSource database, DatabaseKind kind) {
    this.database = database;
    this.outbox = kind.outbox();
    this.insertIfNew = kind.insertIfNew(INSERT);
  }

  /** Places orders until there are {@code ORDERS}, {@code ORDERS_PER_SECOND} in a second. */
  public static void main(String[] arguments) throws Exception {
    Environment environment = new Environment();
    try (HikariDataSource database = environment.dataSource()) {
      new OrdersService(database, environment.databaseKind())
          .placeUpTo(environment.number("ORDERS"), environment.number("ORDERS_PER_SECOND"));
    }
  }

  private void placeUpTo(long last, long perSecond) throws Exception {
    long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
    long due = System.nanoTime();
    for (long number = lastPlaced() + 1; number <= last; number++) {
      place(Order.numbered(number));
      // Lost time is not made up for.
      due = Math.max(due + interval, System.nanoTime());
      TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
    }
  }

  private void place(Order order) throws Exception {
    // Built once, whatever the number of attempts: one order, one event, one event id.
    OutboxEvent placed = placed(order);
    untilReachable(
        connection -> {
          place(connection, order, placed);
          return order.number();
        });
  }

  /**
   * The order and its announcement, both or neither. When the connection is lost during the commit,
   * nobody knows how it ended; so the transaction is tried again, and an order that is there
   * already has been announced with it.
   */
  private void place(Connection connection, Order order, OutboxEvent placed) throws SQLException {
    connection.setAutoCommit(false);
    if (insert(connection, order)) {
      outbox.append(connection, placed);
    }
    connection.commit();
  }

  private boolean insert(Connection connection, Order order) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(insertIfNew)) {
      insert.setLong(1, order.number());
      insert.setString(2, order.customer());
      insert.setString(3, order.product());
      insert.setInt(4, order.quantity());
      insert.setLong(5, order.totalCents());
      return insert.executeUpdate() == 1;
    }
  }

  private OutboxEvent placed(Order order) throws IOException {
    return OutboxEvent.builder("order", String.valueOf(order.number()), "OrderPlaced")
        .aggregateVersion(1)
        .json(json.writeValueAsString(order))
        .build();
  }

  private long lastPlaced() throws Exception {
    return untilReachable(
        connection -> {
          try (PreparedStatement max =
                  connection.prepareStatement("SELECT coalesce(max(number), 0) FROM orders");
              ResultSet rows = max.executeQuery()) {
            rows.next();
            return rows.getLong(1);
          }
        });
  }

  private interface Work {
    long in(Connection connection) throws SQLException;
  }

  private long untilReachable(Work work) throws SQLException, InterruptedException {
    while (true) {
      try (Connection connection = database.getConnection()) {
        return work.in(connection);
      } catch (SQLException e) {
        if (!isPassing(e)) {
          throw e;
        }
        LOG.warn("The database is away, trying again: {}", e.getMessage());
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    }
  }

  private static boolean isPassing(SQLException failure) {
    if (failure instanceof java.sql.SQLTransientException) {
      return true;
    }
    String state = failure.getSQLState();
    return state != null && state.length() == 5 && PASSING.contains(state.substring(0, 2));
  }
}
