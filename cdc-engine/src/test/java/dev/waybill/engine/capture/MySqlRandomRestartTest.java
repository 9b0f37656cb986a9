package dev.waybill.engine.capture;

import dev.waybill.engine.capture.SourceConfig.Pace;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class MySqlRandomRestartTest extends RandomRestartContract {

  @Override
  Outbox create(Pace pace) throws SQLException {
    return Outbox.create(SharedServer.mysql(), pace);
  }

  /** All rows in one event of the log. */
  @Override
  void insertAtOnce(Connection connection, int writer, int number, int rows) throws SQLException {
    insert(connection, writer, number, rows, 0);
  }

  /** A compressed transaction, where all rows share a place of the log; of several events. */
  @Override
  void copy(Connection connection, int writer, int number, int rows) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      connection.rollback();
      statement.execute("SET SESSION binlog_transaction_compression = ON");
      insert(connection, writer, number, rows, 4_000);
      connection.commit();
      statement.execute("SET SESSION binlog_transaction_compression = OFF");
    }
  }

  private static void insert(
      Connection connection, int writer, int number, int rows, int payloadLength)
      throws SQLException {
    String payload = "'\"" + "x".repeat(payloadLength) + "\"'";
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)"
              + " VALUES "
              + IntStream.range(number, number + rows)
                  .mapToObj(n -> "('" + writer + "-" + n + "', 'Order', '1', 'E', " + payload + ")")
                  .collect(Collectors.joining(", ")));
    }
  }
}
