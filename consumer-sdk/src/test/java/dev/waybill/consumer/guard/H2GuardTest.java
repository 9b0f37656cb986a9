package dev.waybill.consumer.guard;

import static dev.waybill.consumer.TestDatabase.execute;

import dev.waybill.outbox.ConsumerDatabase;
import dev.waybill.outbox.SchemaSql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;

class H2GuardTest extends GuardContract {

  private final String url =
      "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000";

  @Override
  Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  @Override
  String longestId() {
    return "x".repeat(64);
  }

  @Override
  void prepare() throws SQLException {
    try (Connection connection = connect()) {
      execute(connection, SchemaSql.consumer(ConsumerDatabase.H2));
      execute(
          connection,
          "CREATE TABLE effect"
              + " (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_id varchar(255))");
    }
  }

  @AfterEach
  void drop() throws SQLException {
    try (Connection connection = connect()) {
      execute(connection, "SHUTDOWN");
    }
  }
}
