package dev.waybill.engine.capture;

import dev.waybill.engine.capture.SourceConfig.Pace;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

class PostgresRandomRestartTest extends RandomRestartContract {

  @Override
  Outbox create(Pace pace) throws SQLException {
    return Outbox.create(pace);
  }

  @Override
  void insertAtOnce(Connection connection, int writer, int number, int rows) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type)"
              + (" SELECT '" + writer + "-' || n, 'Order', '1', 'E'")
              + (" FROM generate_series(" + number + ", " + (number + rows - 1) + ") n"));
    }
  }

  /** All rows at one LSN. */
  @Override
  void copy(Connection connection, int writer, int number, int rows) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < rows; i++) {
      lines.append(writer).append('-').append(number + i).append("\tOrder\t1\tOrderPaid\t{}\n");
    }
    PostgresCommitOrderTest.copy(connection, lines.toString());
  }
}
