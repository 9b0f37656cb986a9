package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.engine.capture.SourceConfig.Columns;
import dev.waybill.engine.capture.SourceConfig.Layout;
import dev.waybill.engine.capture.SourceConfig.Login;
import dev.waybill.outbox.Dialect;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.servers.Database;
import dev.waybill.servers.MySqlServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MySqlCaptureTest {

  private static MySqlServer server;
  private Database database;
  private SourceConfig config;

  @BeforeAll
  static void start() {
    server = MySqlServer.builder().start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void install() throws SQLException {
    database = server.createDatabase();
    database.execute(SchemaSql.statements(SchemaSql.outbox(Dialect.MYSQL)).toArray(String[]::new));
    database.execute(SchemaSql.statements(SchemaSql.roles(Dialect.MYSQL)).toArray(String[]::new));
    database.execute("ALTER USER waybill_capture IDENTIFIED BY 'capture' ACCOUNT UNLOCK");
    config =
        new SourceConfig(
            SourceConfig.Type.MYSQL,
            "shop",
            new Login(database.jdbcUrl(), "waybill_capture", "capture"),
            List.of(new TableName(database.name(), "outbox_event")),
            Columns.of(Layout.NATIVE),
            new SourceConfig.Pace(Duration.ofMillis(200), Duration.ofMillis(5), 2048, 8192, 0),
            Map.of());
  }

  private MySqlPosition now() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT @@global.gtid_executed AS g, @@server_uuid AS u")) {
      row.next();
      TableName table = config.tables().get(0);
      return new MySqlPosition(
          GtidSet.parse(row.getString("g")),
          null,
          row.getString("u"),
          new BinlogPlace("binlog.000001", 4),
          new TreeMap<>(
              Map.of(table, Objects.requireNonNull(MySqlColumns.read(connection, table)))));
    }
  }

  @Test
  void rows_come_out() throws Exception {
    MySqlPosition start = now();
    RecordingHandler handler = new RecordingHandler(start);
    try (Capture capture =
        MySqlCapture.start(
            config, MySqlConnections.of(config), start, Overlap.NONE, handler, Watch.of(config))) {
      database.execute(
          "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)"
              + " VALUES ('e1', 'order', '1', 'Made', '{\"a\": 1.00, \"b\":\"😀é\"}'),"
              + " ('e2', 'order', '1', 'Made', NULL)");
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> handler.changes().size() >= 2 || capture.awaitEnd(Duration.ZERO));
      database.execute(
          "ALTER TABLE outbox_event ADD COLUMN extra varchar(20), ADD COLUMN n int unsigned");
      database.execute(
          "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)"
              + " VALUES ('e3', 'order', '1', 'Made', '{}')");
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> handler.changes().size() >= 3 || capture.awaitEnd(Duration.ZERO));
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  handler.position().toMap().toString().contains("extra")
                      || capture.awaitEnd(Duration.ZERO));
    }
    assertThat(handler.eventIds()).containsExactly("e1", "e2", "e3");
  }
}
