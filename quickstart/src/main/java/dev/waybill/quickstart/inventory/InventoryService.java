package dev.waybill.quickstart.inventory;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.consumer.EventConsumer;
import dev.waybill.consumer.guard.Guard;
import dev.waybill.quickstart.service.Environment;
import dev.waybill.quickstart.service.Report;
import dev.waybill.quickstart.service.Signal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Reserves stock for every order, once. Adding to a number is harmful if it is done twice: the
 * guard lets each event through once, in the transaction of the handler.
 */
public final class InventoryService {

  private InventoryService() {}

  /** Runs until SIGTERM. */
  public static void main(String[] arguments) throws InterruptedException {
    Environment environment = new Environment();
    String reserve = environment.databaseKind().insertOrAdd("stock", "product", "reserved");
    try (HikariDataSource database = environment.dataSource();
        EventConsumer consumer =
            EventConsumer.builder("inventory-service")
                .topics("events.order")
                .kafka(environment.kafka())
                .dataSource(database)
                .guard(Guard.inbox().and(Guard.aggregateVersion()))
                .on(
                    "OrderPlaced",
                    OrderPlaced.class,
                    (order, event, tx) -> reserve(tx.connection(), reserve, order))
                .listener(Report.toStandardOutput())
                .build()) {
      consumer.start();
      Signal.await();
    }
  }

  private static void reserve(Connection connection, String sql, OrderPlaced order)
      throws SQLException {
    try (PreparedStatement reserve = connection.prepareStatement(sql)) {
      reserve.setString(1, order.product());
      reserve.setInt(2, order.quantity());
      reserve.executeUpdate();
    }
  }
}
