package dev.waybill.engine.capture;

import static org.awaitility.Awaitility.await;

import dev.waybill.engine.capture.SourceConfig.Columns;
import dev.waybill.engine.capture.SourceConfig.Layout;
import dev.waybill.engine.capture.SourceConfig.Login;
import dev.waybill.engine.capture.SourceConfig.Pace;
import dev.waybill.outbox.Dialect;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.servers.Database;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.MySqlServer;
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
import java.util.concurrent.atomic.AtomicInteger;

/** A database with an outbox, and the source that captures it, for one test. */
final class Outbox implements AutoCloseable {

  /** On PostgreSQL. */
  static final TableName TABLE = new TableName("public", "outbox_event");

  /** Quick, so that no test waits for a heartbeat. */
  static final Pace PACE =
      new Pace(Duration.ofMillis(200), Duration.ofMillis(5), 2_048, 8_192, 64L << 20);

  /** Each engine of the JVM has a name of its own, on whatever server it works. */
  private static final AtomicInteger ENGINES = new AtomicInteger();

  private static final String CAPTURE = "waybill_capture";

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Database database;
  private final SourceConfig config;

  private Outbox(Database database, SourceConfig config) {
    this.database = database;
    this.config = config;
  }

  static Outbox create() throws SQLException {
    return create(PACE);
  }

  static Outbox create(Pace pace) throws SQLException {
    return create(SharedServer.get(), pace);
  }

  /** With the tables of the schema, captured by the least-privileged user. */
  static Outbox create(DatabaseServer server, Pace pace) throws SQLException {
    SourceConfig.Type type =
        server instanceof MySqlServer ? SourceConfig.Type.MYSQL : SourceConfig.Type.POSTGRES;
    Database database = server.createDatabase();
    Outbox outbox =
        new Outbox(
            database,
            new SourceConfig(
                type,
                "shop_" + ENGINES.incrementAndGet(),
                new Login(database.jdbcUrl(), CAPTURE, "capture"),
                type.defaultTables(database.jdbcUrl()),
                Columns.of(Layout.NATIVE),
                pace,
                Map.of()));
    outbox.install();
    return outbox;
  }

  /** On MySQL. */
  static Outbox mysql() throws SQLException {
    return create(SharedServer.mysql(), PACE);
  }

  void install() throws SQLException {
    switch (config.type()) {
      case POSTGRES -> {
        database.execute(
            SchemaSql.outbox(Dialect.POSTGRESQL),
            SchemaSql.roles(Dialect.POSTGRESQL),
            "ALTER ROLE waybill_capture REPLICATION PASSWORD 'capture'",
            SchemaSql.publication(config.engine()));
      }
      case MYSQL -> {
        script(SchemaSql.outbox(Dialect.MYSQL));
        script(SchemaSql.roles(Dialect.MYSQL));
        database.execute("ALTER USER waybill_capture IDENTIFIED BY 'capture' ACCOUNT UNLOCK");
      }
    }
  }

  private void script(String sql) throws SQLException {
    database.execute(SchemaSql.statements(sql).toArray(String[]::new));
  }

  /** A second table of the same shape, which may be captured too. */
  TableName addTable(String name) throws SQLException {
    switch (config.type()) {
      case POSTGRES ->
          execute(
              "CREATE TABLE " + name + " (LIKE outbox_event INCLUDING ALL)",
              "ALTER PUBLICATION " + slot() + " ADD TABLE " + name);
      case MYSQL -> execute("CREATE TABLE " + name + " LIKE outbox_event");
    }
    execute("GRANT SELECT ON " + name + " TO " + CAPTURE);
    return new TableName(table().schema(), name);
  }

  /** Those of the source. */
  void endConnections() throws SQLException {
    switch (config.type()) {
      case POSTGRES ->
          query(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                  + " WHERE usename = 'waybill_capture' AND datname = current_database()");
      case MYSQL -> {
        for (String kill :
            query(
                "SELECT concat('KILL ', id) FROM performance_schema.processlist"
                    + " WHERE user = 'waybill_capture'")) {
          execute(kill);
        }
      }
    }
  }

  /** The table that is captured, and no other. */
  TableName table() {
    return config.tables().get(0);
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
    return open(config);
  }

  Source sourceOf(TableName... tables) {
    return open(
        new SourceConfig(
            config.type(),
            config.engine(),
            config.login(),
            List.of(tables),
            config.columns(),
            config.pace(),
            config.debezium()));
  }

  Source sourceAs(Login login) {
    return open(
        new SourceConfig(
            config.type(),
            config.engine(),
            login,
            config.tables(),
            config.columns(),
            config.pace(),
            config.debezium()));
  }

  Source sourceWith(Columns columns) {
    return open(
        new SourceConfig(
            config.type(),
            config.engine(),
            config.login(),
            config.tables(),
            columns,
            config.pace(),
            config.debezium()));
  }

  private static Source open(SourceConfig config) {
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

  void execute(String... statements) throws SQLException {
    database.execute(statements);
  }

  /** Fails where something was left behind: a thread of the engine, or a connection. */
  @Override
  public void close() throws SQLException {
    await("threads end").atMost(PATIENCE).until(this::threads, List::isEmpty);
    await("connections end").atMost(PATIENCE).until(this::connections, List::isEmpty);
    if (config.type() == SourceConfig.Type.POSTGRES) {
      dropSlot();
    }
  }

  private void dropSlot() throws SQLException {
    try (Connection connection = connect()) {
      PostgresSlot left = PostgresSlot.find(connection, slot());
      if (left != null) {
        left.drop(connection);
      }
    }
  }

  private List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(
            name ->
                name.contains("waybill-" + config.engine() + "-") || name.contains(slot() + "-"))
        .toList();
  }

  private List<String> connections() throws SQLException {
    return query(
        switch (config.type()) {
          case POSTGRES ->
              """
              SELECT application_name || ': ' || query FROM pg_stat_activity
               WHERE usename = 'waybill_capture' AND datname = current_database()
              """;
          case MYSQL ->
              """
              SELECT concat_ws(' ', id, host, command, info) FROM performance_schema.processlist
               WHERE user = 'waybill_capture'
              """;
        });
  }
}
