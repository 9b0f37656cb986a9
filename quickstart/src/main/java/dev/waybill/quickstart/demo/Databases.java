package dev.waybill.quickstart.demo;

import dev.waybill.outbox.ConsumerDatabase;
import dev.waybill.outbox.Dialect;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.quickstart.service.DatabaseKind;
import dev.waybill.servers.Database;
import dev.waybill.servers.DatabaseServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * A database server with the databases of the three services. Each service has a user of its own
 * that may do no more than it must.
 */
abstract class Databases implements AutoCloseable {

  private final DatabaseKind kind;
  private final Dialect dialect;
  private final ConsumerDatabase consumer;
  private final DatabaseServer server;

  Databases(DatabaseKind kind, Dialect dialect, ConsumerDatabase consumer, DatabaseServer server) {
    this.kind = kind;
    this.dialect = dialect;
    this.consumer = consumer;
    this.server = server;
  }

  /** Starts a server. */
  static Databases open(DatabaseKind kind) {
    return switch (kind) {
      case POSTGRESQL -> new PostgresDatabases();
      case MYSQL -> new MySqlDatabases();
    };
  }

  final DatabaseKind kind() {
    return kind;
  }

  /** The server's own process. */
  abstract Part part(Clock clock);

  final Database database(String name) {
    return new Database(name, server.jdbcUrl(name), server.user(), server.password());
  }

  /** The user that a service logs in as, and the password. */
  static String user(String service) {
    return service + "_service";
  }

  /** Makes what is not there yet: databases, tables, users. May be repeated if it fails. */
  final void setUp(String engine) throws SQLException {
    List<String> outbox = new ArrayList<>();
    outbox.add(SchemaSql.outbox(dialect));
    outbox.add(SchemaSql.roles(dialect));
    outbox.addAll(forOutbox(engine, user("orders")));
    setUp("orders", outbox);
    setUp("inventory", guards("inventory"));
    setUp("points", guards("points"));
  }

  private void setUp(String service, List<String> scripts) throws SQLException {
    List<String> all = new ArrayList<>(scripts);
    all.add(0, ownTables(service));
    setUpOnce(service, all);
  }

  private List<String> guards(String service) {
    String rights = "GRANT SELECT, INSERT, UPDATE ON %s TO " + user(service) + ";";
    return List.of(
        SchemaSql.consumer(consumer),
        rights.formatted("consumed_event"),
        rights.formatted("aggregate_version"));
  }

  /** What is needed for the outbox besides its table and roles: logins, a publication. */
  abstract List<String> forOutbox(String engine, String writer);

  /** Makes the database and the user of a service, unless they are there, and all that is in it. */
  abstract void setUpOnce(String service, List<String> scripts) throws SQLException;

  private String ownTables(String service) {
    String name = "/dev/waybill/quickstart/%s/%s.sql".formatted(kind.type(), service);
    try (InputStream in = Databases.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the quickstart lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean exists(Database database, String query) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next();
    }
  }

  /** How somebody at a shell gets into a database, and where. */
  abstract String client();

  /** An expression that makes an id for an event. */
  abstract String newEventId();

  @Override
  public final void close() {
    server.close();
  }
}
