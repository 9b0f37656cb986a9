package dev.waybill.quickstart.demo;

import dev.waybill.outbox.ConsumerDatabase;
import dev.waybill.outbox.Dialect;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.quickstart.service.DatabaseKind;
import dev.waybill.servers.Database;
import dev.waybill.servers.MySqlServer;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;

/** The demo's databases on MySQL. */
final class MySqlDatabases extends Databases {

  private final MySqlServer server;

  MySqlDatabases() {
    this(Patience.start(MySqlServer.builder()::start));
  }

  private MySqlDatabases(MySqlServer server) {
    super(DatabaseKind.MYSQL, Dialect.MYSQL, ConsumerDatabase.MYSQL, server);
    this.server = server;
  }

  @Override
  Part part(Clock clock) {
    return new MySqlPart(server);
  }

  @Override
  List<String> forOutbox(String engine, String writer) {
    return List.of(
        "ALTER USER waybill_capture IDENTIFIED BY 'waybill_capture' ACCOUNT UNLOCK;",
        "GRANT waybill_writer TO " + writer + ";",
        "ALTER USER " + writer + " DEFAULT ROLE waybill_writer;");
  }

  /**
   * There are no transactions around these statements: the user is let in once everything is there,
   * and until then all is made anew.
   */
  @Override
  void setUpOnce(String service, List<String> scripts) throws SQLException {
    Database root = database("mysql");
    String user = user(service);
    if (exists(root, "SELECT 1 FROM user WHERE user = '" + user + "' AND account_locked = 'N'")) {
      return;
    }
    root.execute(
        "DROP DATABASE IF EXISTS " + service,
        "CREATE DATABASE " + service,
        "DROP USER IF EXISTS " + user,
        "CREATE USER " + user + " IDENTIFIED BY '" + user + "' ACCOUNT LOCK");
    for (String script : scripts) {
      database(service).execute(SchemaSql.statements(script).toArray(String[]::new));
    }
    root.execute("ALTER USER " + user + " ACCOUNT UNLOCK");
  }

  @Override
  String client() {
    return "mysql -h127.0.0.1 -P%d -u%s -p%s orders   (also inventory, points)"
        .formatted(server.port(), server.user(), server.password());
  }

  @Override
  String newEventId() {
    return "uuid()";
  }
}
