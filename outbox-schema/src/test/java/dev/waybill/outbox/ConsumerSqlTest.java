package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.servers.MySqlServer;
import dev.waybill.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class ConsumerSqlTest {

  private static final String UNIQUE_VIOLATION = "23505";
  private static final String MYSQL_INTEGRITY_VIOLATION = "23000";

  private static final String CONSUMED =
      "INSERT INTO consumed_event (consumer_group, event_id, payload_hash) VALUES (?, ?, ?)";

  @Test
  void appliesToH2() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:")) {
      remembersEventsAndVersions(connection, SchemaSql.consumer(ConsumerDatabase.H2));
    }
  }

  @Test
  void appliesToPostgres() throws SQLException {
    try (PostgresServer server = PostgresServer.builder(14).start();
        Connection connection = server.createDatabase().connect()) {
      remembersEventsAndVersions(connection, SchemaSql.consumer(ConsumerDatabase.POSTGRESQL));
    }
  }

  @Test
  void appliesToMySql() throws SQLException {
    try (MySqlServer server = MySqlServer.builder().start();
        Connection connection = server.createDatabase().connect()) {
      remembersEventsAndVersions(connection, SchemaSql.consumer(ConsumerDatabase.MYSQL));
      consumed(connection, "g", "e ");
    }
  }

  private static void remembersEventsAndVersions(Connection connection, String sql)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String each : SchemaSql.statements(sql)) {
        statement.execute(each);
      }
      statement.execute(
          "INSERT INTO aggregate_version (consumer_group, aggregate_type, aggregate_id, version)"
              + " VALUES ('g', 'order', '1', 1), ('g', 'order', '2', 1), ('h', 'order', '1', 1)");
    }
    // C59, C60: groups and ids differ in case and accents, and each group has events of its own.
    consumed(connection, "g", "e");
    consumed(connection, "g", "E");
    consumed(connection, "g", "é");
    consumed(connection, "G", "e");
    assertThatThrownBy(() -> consumed(connection, "g", "e"))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> assertThat(e.getSQLState()).isIn(UNIQUE_VIOLATION, MYSQL_INTEGRITY_VIOLATION));
  }

  private static void consumed(Connection connection, String group, String id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(CONSUMED)) {
      statement.setString(1, group);
      statement.setString(2, id);
      statement.setBytes(3, new byte[32]);
      assertThat(statement.executeUpdate()).isEqualTo(1);
    }
  }
}
