package dev.waybill.quickstart.points;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.consumer.EventConsumer;
import dev.waybill.consumer.guard.Guard;
import dev.waybill.quickstart.service.Environment;
import dev.waybill.quickstart.service.Report;
import dev.waybill.quickstart.service.Signal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Grants points for every order, once. */
public final class PointsService {

  private PointsService() {}

  /** Runs until SIGTERM. */
  public static void main(String[] arguments) throws InterruptedException {
    Environment environment = new Environment();
    String grant = environment.databaseKind().insertOrAdd("account", "customer", "points");
    try (HikariDataSource database = environment.dataSource();
        EventConsumer consumer =
            EventConsumer.builder("points-service")
                .topics("events.order")
                .kafka(environment.kafka())
                .dataSource(database)
                .guard(Guard.inbox())
                .on(
                    "OrderPlaced",
                    OrderPlaced.class,
                    (order, event, tx) -> grant(tx.connection(), grant, order))
                .listener(Report.toStandardOutput())
                .build()) {
      consumer.start();
      Signal.await();
    }
  }

  private static void grant(Connection connection, String sql, OrderPlaced order)
      throws SQLException {
    try (PreparedStatement grant = connection.prepareStatement(sql)) {
      grant.setString(1, order.customer());
      grant.setLong(2, order.points());
      grant.executeUpdate();
    }
  }
}
