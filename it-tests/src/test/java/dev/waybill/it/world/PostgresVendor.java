package dev.waybill.it.world;

import dev.waybill.outbox.ConsumerDatabase;
import dev.waybill.outbox.Dialect;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.servers.Database;
import dev.waybill.servers.DatabaseServer;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/** PostgreSQL: an engine has a slot and a publication of one name. */
public record PostgresVendor() implements Vendor {

  /** The name of a world's slot and of its publication. */
  public static String slot(World world) {
    return slot(world.engine());
  }

  private static String slot(String engine) {
    return "waybill_" + engine;
  }

  @Override
  public Dialect dialect() {
    return Dialect.POSTGRESQL;
  }

  @Override
  public ConsumerDatabase consumerDatabase() {
    return ConsumerDatabase.POSTGRESQL;
  }

  @Override
  public String sourceType() {
    return "postgres";
  }

  @Override
  public String jdbcUrl(String hostAndPort, String database) {
    return "jdbc:postgresql://" + hostAndPort + "/" + database;
  }

  @Override
  public String table(Database database, String name) {
    return "public." + name;
  }

  @Override
  public void grant(Database database, String engine) throws SQLException {
    database.execute(
        SchemaSql.roles(dialect()),
        "ALTER ROLE " + CAPTURE + " PASSWORD '" + CAPTURE + "'",
        SchemaSql.publication(engine));
  }

  @Override
  public void drop(DatabaseServer server, Database database) throws SQLException {
    String here = " FROM pg_replication_slots WHERE database = '" + database.name() + "'";
    new Database("postgres", server.jdbcUrl("postgres"), server.user(), server.password())
        .execute(
            "SELECT pg_terminate_backend(active_pid, 5000)" + here + " AND active",
            "SELECT pg_drop_replication_slot(slot_name)" + here,
            "DROP DATABASE " + database.name() + " WITH (FORCE)");
  }

  @Override
  public String endConnection(long id) {
    return "SELECT pg_terminate_backend(" + id + ")";
  }

  @Override
  public String logEnd() {
    return "SELECT pg_current_wal_insert_lsn()";
  }

  @Override
  public String logReaders(Database database) {
    return "SELECT count(*) FROM pg_replication_slots WHERE database = '" + database.name() + "'";
  }

  @Override
  public String logReader(String engine) {
    return "SELECT active_pid FROM pg_replication_slots WHERE slot_name = '" + slot(engine) + "'";
  }

  @Override
  public String captureConnections(Database database) {
    return ("SELECT count(*) FROM pg_stat_activity WHERE usename = '" + CAPTURE + "'")
        + (" AND datname = '" + database.name() + "'");
  }

  @Override
  public boolean hasAcknowledged(World world, String place) {
    return world.count(
            ("SELECT count(*) FROM pg_replication_slots WHERE slot_name = '" + slot(world) + "'")
                + (" AND confirmed_flush_lsn >= '" + place + "'"))
        == 1;
  }

  @Override
  public String json(String expression) {
    return "(" + expression + ")::json";
  }

  @Override
  public String numbersBelow(int end) {
    return "generate_series(0, " + (end - 1) + ") n";
  }

  @Override
  public String identity() {
    return "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
  }

  /** Any connection does. */
  @Override
  public String bulkLoading() {
    return "";
  }

  @Override
  public String rewritingBatches() {
    return "reWriteBatchedInserts=true";
  }

  @Override
  public void bulkLoad(Connection connection, String table, String columns, String csv)
      throws SQLException {
    try {
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn(
              "COPY " + table + " " + columns + " FROM STDIN (FORMAT csv)", new StringReader(csv));
    } catch (IOException e) {
      throw new SQLException(e);
    }
  }

  @Override
  public String[] copyToTemporaryTable() {
    return new String[] {
      "CREATE TEMP TABLE scratch (LIKE outbox_event)",
      "INSERT INTO scratch SELECT * FROM outbox_event"
    };
  }

  /** Connection lost (class 08), or ended by the server (57P01 to 57P03). */
  @Override
  public boolean isDeathOfDatabase(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.startsWith("08") || state.startsWith("57P");
  }
}
