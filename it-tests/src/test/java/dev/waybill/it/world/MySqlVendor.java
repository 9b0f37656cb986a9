package dev.waybill.it.world;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.mysql.cj.jdbc.JdbcStatement;
import dev.waybill.outbox.ConsumerDatabase;
import dev.waybill.outbox.Dialect;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.servers.Database;
import dev.waybill.servers.DatabaseServer;
import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * MySQL: users and log belong to the whole server, which belongs to the tests of one JVM, and these
 * run one after the other. Places in the log are sets of GTIDs.
 */
public record MySqlVendor() implements Vendor {

  private static final Pattern GTIDS = Pattern.compile("\"gtids\":\"([^\"]*)\"");
  private static final String OF_CAPTURE =
      " FROM performance_schema.processlist WHERE user = '" + CAPTURE + "'";
  private static final String READING = OF_CAPTURE + " AND command LIKE 'Binlog Dump%'";

  @Override
  public Dialect dialect() {
    return Dialect.MYSQL;
  }

  @Override
  public ConsumerDatabase consumerDatabase() {
    return ConsumerDatabase.MYSQL;
  }

  @Override
  public String sourceType() {
    return "mysql";
  }

  @Override
  public String jdbcUrl(String hostAndPort, String database) {
    return "jdbc:mysql://" + hostAndPort + "/" + database;
  }

  @Override
  public String table(Database database, String name) {
    return database.name() + "." + name;
  }

  /** Also lets clients load data, and make as many numbers as they like. */
  @Override
  public void grant(Database database, String engine) throws SQLException {
    database.execute(SchemaSql.statements(SchemaSql.roles(dialect())).toArray(String[]::new));
    database.execute(
        "ALTER USER " + CAPTURE + " IDENTIFIED BY '" + CAPTURE + "' ACCOUNT UNLOCK",
        "SET PERSIST local_infile = ON",
        "SET PERSIST cte_max_recursion_depth = 1000000");
  }

  @Override
  public void drop(DatabaseServer server, Database database) throws SQLException {
    new Database("mysql", server.jdbcUrl("mysql"), server.user(), server.password())
        .execute("DROP DATABASE " + database.name());
  }

  @Override
  public String endConnection(long id) {
    return "KILL " + id;
  }

  @Override
  public String logEnd() {
    return "SELECT replace(@@global.gtid_executed, '\\n', '')";
  }

  @Override
  public String logReaders(Database database) {
    return "SELECT count(*)" + READING;
  }

  @Override
  public String logReader(String engine) {
    return "SELECT id" + READING + " ORDER BY id DESC LIMIT 1";
  }

  @Override
  public String captureConnections(Database database) {
    return "SELECT count(*)" + OF_CAPTURE;
  }

  /**
   * The server is told nothing; an engine that starts again will not ask for more than progress.
   */
  @Override
  public boolean hasAcknowledged(World world, String place) {
    List<Published> progress = world.progress().read();
    if (progress.isEmpty()) {
      return false;
    }
    Matcher gtids = GTIDS.matcher(progress.get(progress.size() - 1).text());
    return gtids.find()
        && world.count("SELECT gtid_subset('" + place + "', '" + gtids.group(1) + "')") == 1;
  }

  @Override
  public String json(String expression) {
    return expression;
  }

  @Override
  public String numbersBelow(int end) {
    return ("(WITH RECURSIVE numbers (n) AS"
            + " (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < %d)"
            + " SELECT n FROM numbers) AS numbers")
        .formatted(end - 1);
  }

  @Override
  public String identity() {
    return "bigint AUTO_INCREMENT PRIMARY KEY";
  }

  @Override
  public String bulkLoading() {
    return "allowLoadLocalInfile=true";
  }

  @Override
  public String rewritingBatches() {
    return "rewriteBatchedStatements=true";
  }

  @Override
  public void bulkLoad(Connection connection, String table, String columns, String csv)
      throws SQLException {
    try (var statement = connection.createStatement()) {
      statement
          .unwrap(JdbcStatement.class)
          .setLocalInfileInputStream(new ByteArrayInputStream(csv.getBytes(UTF_8)));
      statement.execute(
          "LOAD DATA LOCAL INFILE 'the stream' INTO TABLE "
              + table
              + " CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"'"
              + " ESCAPED BY '' LINES TERMINATED BY '\\n' "
              + columns);
    }
  }

  @Override
  public String[] copyToTemporaryTable() {
    return new String[] {
      "CREATE TEMPORARY TABLE scratch LIKE outbox_event",
      "INSERT INTO scratch SELECT * FROM outbox_event"
    };
  }

  /** Connection lost, which an orderly end is, too (class 08). */
  @Override
  public boolean isDeathOfDatabase(SQLException e) {
    return String.valueOf(e.getSQLState()).startsWith("08");
  }
}
