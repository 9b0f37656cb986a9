package dev.waybill.engine.capture;

import dev.waybill.engine.capture.SourceConfig.Columns;
import dev.waybill.engine.capture.SourceConfig.Layout;
import dev.waybill.engine.capture.SourceConfig.Login;
import dev.waybill.engine.capture.SourceConfig.Pace;
import dev.waybill.servers.Database;
import dev.waybill.servers.PostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A database with an outbox, and the source that captures it, for one test. */
final class Outbox implements AutoCloseable {

  static final TableName TABLE = new TableName("public", "outbox_event");

  /** Quick, so that no test waits for a heartbeat. */
  static final Pace PACE =
      new Pace(Duration.ofMillis(200), Duration.ofMillis(5), 2_048, 8_192, 64L << 20);

  private final Database database;
  private final SourceConfig config;

  private Outbox(Database database, SourceConfig config) {
    this.database = database;
    this.config = config;
  }

  static Outbox create(PostgresServer server) throws SQLException {
    return create(server, PACE);
  }

  /** With the tables of the schema, captured by the least-privileged user. */
  static Outbox create(PostgresServer server, Pace pace) throws SQLException {
    Database database = server.createDatabase();
    database.execute(
        resource("outbox.sql"),
        resource("roles.sql"),
        "ALTER ROLE waybill_capture PASSWORD 'capture'");
    String engine = database.name();
    database.execute(resource("publication.sql").replace("${engine}", engine));
    return new Outbox(
        database,
        new SourceConfig(
            SourceConfig.Type.POSTGRES,
            engine,
            new Login(database.jdbcUrl(), "waybill_capture", "capture"),
            List.of(TABLE),
            Columns.of(Layout.NATIVE),
            pace,
            Map.of()));
  }

  private static String resource(String name) {
    try (InputStream sql =
        Outbox.class.getResourceAsStream("/dev/waybill/outbox/postgresql/" + name)) {
      if (sql == null) {
        throw new IllegalStateException("outbox-schema holds no " + name);
      }
      return new String(sql.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Database database() {
    return database;
  }

  SourceConfig config() {
    return config;
  }

  String slot() {
    return PostgresNames.of(config).slot();
  }

  Source source() {
    return Source.open(config, Clock.systemUTC());
  }

  /** The first start, its rows thrown away. */
  Position begin() {
    try (FirstStart start = source().firstStart(FirstStart.Rows.NONE)) {
      return start.position();
    }
  }

  Connection connect() throws SQLException {
    return database.connect();
  }

  /** One row per id, in one transaction. */
  void insert(String... eventIds) throws SQLException {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      insert(connection, eventIds);
      connection.commit();
    }
  }

  /** In the connection's transaction. */
  static void insert(Connection connection, String... eventIds) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)
            VALUES (?, 'Order', '1', 'OrderPaid', '{}')
            """)) {
      for (String id : eventIds) {
        insert.setString(1, id);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  List<String> query(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }

  /** Gives the slot up, so that the server can stop. */
  @Override
  public void close() throws SQLException {
    try (Connection connection = connect()) {
      PostgresSlot left = PostgresSlot.find(connection, slot());
      if (left != null) {
        left.free(connection);
        left.drop(connection);
      }
    }
  }
}
