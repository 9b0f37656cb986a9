package dev.waybill.quickstart.demo;

import dev.waybill.outbox.ConsumerDatabase;
import dev.waybill.outbox.Dialect;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.quickstart.service.DatabaseKind;
import dev.waybill.servers.Database;
import dev.waybill.servers.PostgresServer;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** The demo's databases on PostgreSQL. */
final class PostgresDatabases extends Databases {

  private static final int VERSION = 18;

  private final PostgresServer server;

  PostgresDatabases() {
    this(Patience.start(PostgresServer.builder(VERSION)::start));
  }

  private PostgresDatabases(PostgresServer server) {
    super(DatabaseKind.POSTGRESQL, Dialect.POSTGRESQL, ConsumerDatabase.POSTGRESQL, server);
    this.server = server;
  }

  @Override
  Part part(Clock clock) {
    return new PostgresPart(server, clock);
  }

  @Override
  List<String> forOutbox(String engine, String writer) {
    return List.of(
        SchemaSql.publication(engine),
        "ALTER ROLE waybill_capture PASSWORD 'waybill_capture'",
        "GRANT waybill_writer TO " + writer);
  }

  /** All in one transaction: the user is there once everything is. */
  @Override
  void setUpOnce(String service, List<String> scripts) throws SQLException {
    Database root = database("postgres");
    if (!exists(root, "SELECT FROM pg_database WHERE datname = '" + service + "'")) {
      server.createDatabase(service);
    }
    String user = user(service);
    if (!exists(root, "SELECT FROM pg_roles WHERE rolname = '" + user + "'")) {
      List<String> all = new ArrayList<>(scripts);
      all.add(0, "CREATE ROLE " + user + " LOGIN PASSWORD '" + user + "'");
      database(service).execute(String.join(";\n", all));
    }
  }

  @Override
  String client() {
    return "psql \"postgresql://%s:%s@127.0.0.1:%d/orders\"   (also /inventory, /points)"
        .formatted(server.user(), server.password(), server.port());
  }

  @Override
  String newEventId() {
    return "uuidv7()";
  }
}
