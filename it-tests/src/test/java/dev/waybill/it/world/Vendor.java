package dev.waybill.it.world;

import dev.waybill.outbox.ConsumerDatabase;
import dev.waybill.outbox.Dialect;
import dev.waybill.outbox.Outbox;
import dev.waybill.servers.Database;
import dev.waybill.servers.DatabaseServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * What has to be said differently to each kind of database, so that a suite need not know on which
 * it plays. Immutable.
 */
public sealed interface Vendor permits PostgresVendor, MySqlVendor {

  /** The user as which engines capture; the password is the name. */
  String CAPTURE = "waybill_capture";

  /** The kind of database that a server is. */
  static Vendor of(DatabaseServer server) {
    return server.jdbcUrl("any").startsWith("jdbc:mysql:")
        ? new MySqlVendor()
        : new PostgresVendor();
  }

  Dialect dialect();

  ConsumerDatabase consumerDatabase();

  /** For the table of {@code outbox.sql}. */
  default Outbox outbox() {
    return Outbox.builder(dialect()).build();
  }

  /** The value of {@code source.type}. */
  String sourceType();

  /** The address of a database that may not exist. */
  String jdbcUrl(String hostAndPort, String database);

  /** A table of a database as engines name it. */
  String table(Database database, String name);

  /** Makes the users with their passwords and all that an engine needs beside its table. */
  void grant(Database database, String engine) throws SQLException;

  /** Ends what an engine left in the server and drops the database. */
  void drop(DatabaseServer server, Database database) throws SQLException;

  /** Ends a connection, such as {@link #logReader}. */
  String endConnection(long id);

  /** A query for a place in the log behind everything written so far. */
  String logEnd();

  /** A query for how many slots or connections an engine has in the log. */
  String logReaders(Database database);

  /** A query for the connection that reads the log for an engine; no row while there is none. */
  String logReader(String engine);

  /** A query for how many connections engines have. */
  String captureConnections(Database database);

  /** Whether a world's engine has let its source forget everything up to a place in the log. */
  boolean hasAcknowledged(World world, String place);

  /** Text that is inserted into a JSON column of the outbox. */
  String json(String expression);

  /** A table of one column {@code n}: the numbers from 0 on below {@code end}. */
  String numbersBelow(int end);

  /** A column that numbers the rows as they are inserted, and is the key. */
  String identity();

  /** What lets a connection {@link #bulkLoad}, as a parameter of the URL. */
  String bulkLoading();

  /** What makes a connection's batches few statements, as a parameter of the URL. */
  String rewritingBatches();

  /**
   * Inserts rows in the way the server offers for many, in the transaction that is open.
   *
   * @param columns in parentheses
   * @param csv with commas, fields in double quotes where needed, and quotes doubled
   */
  void bulkLoad(Connection connection, String table, String columns, String csv)
      throws SQLException;

  /** Makes a temporary table like the outbox, with its rows, in the transaction that is open. */
  String[] copyToTemporaryTable();

  /** A connection with the driver's defaults, but for some parameters of the URL. */
  default Connection connect(Database database, String... parameters) throws SQLException {
    return DriverManager.getConnection(
        database.jdbcUrl() + "?" + String.join("&", parameters),
        database.user(),
        database.password());
  }

  /** Whether a statement failed because the server ended or the connection was lost. */
  boolean isDeathOfDatabase(SQLException e);
}
