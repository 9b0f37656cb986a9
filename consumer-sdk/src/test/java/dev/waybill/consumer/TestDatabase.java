package dev.waybill.consumer;

import static org.awaitility.Awaitility.await;

import dev.waybill.outbox.ConsumerDatabase;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.servers.Database;
import dev.waybill.servers.DatabaseServer;
import dev.waybill.servers.MySqlServer;
import dev.waybill.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The databases that the promises are tested on, and how to say on each what tests need. */
public enum TestDatabase {
  POSTGRESQL(ConsumerDatabase.POSTGRESQL, "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY") {
    @Override
    public DatabaseServer start() {
      return PostgresServer.builder(16).start();
    }

    @Override
    DatabaseServer shared() {
      return TestServers.postgres();
    }

    @Override
    String raising(Failure failure) {
      String state =
          switch (failure) {
            case CONFLICT -> "40001";
            case FULL -> "53100";
          };
      return "DO $$ BEGIN RAISE EXCEPTION 'raised' USING ERRCODE = '" + state + "'; END $$";
    }

    @Override
    String countOfWaits() {
      return "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
          + " AND datname = current_database()";
    }

    @Override
    String resize(String table, String column, int length) {
      return "ALTER TABLE %s ALTER %s TYPE varchar(%d)".formatted(table, column, length);
    }

    @Override
    String shortestLockTimeout() {
      return "SET lock_timeout = '20ms'";
    }
  },

  MYSQL(ConsumerDatabase.MYSQL, "bigint AUTO_INCREMENT PRIMARY KEY") {
    @Override
    public DatabaseServer start() {
      return MySqlServer.builder().start();
    }

    @Override
    DatabaseServer shared() {
      return TestServers.mySql();
    }

    @Override
    String raising(Failure failure) {
      return switch (failure) {
        case CONFLICT -> "SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213";
        case FULL -> "SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1021";
      };
    }

    @Override
    String countOfWaits() {
      return "SELECT count(*) FROM performance_schema.data_locks WHERE lock_status = 'WAITING'"
          + " AND object_schema = database()";
    }

    @Override
    String resize(String table, String column, int length) {
      return "ALTER TABLE %s MODIFY %s varchar(%d) NOT NULL".formatted(table, column, length);
    }

    @Override
    String shortestLockTimeout() {
      return "SET innodb_lock_wait_timeout = 1";
    }
  };

  /** What a database may say to a statement. */
  enum Failure {
    CONFLICT,
    FULL
  }

  private final ConsumerDatabase consumer;
  private final String identity;

  TestDatabase(ConsumerDatabase consumer, String identity) {
    this.consumer = consumer;
    this.identity = identity;
  }

  /** A server of the test's own. */
  public abstract DatabaseServer start();

  /** The one that all tests of this JVM share. */
  abstract DatabaseServer shared();

  abstract String raising(Failure failure);

  /** How many statements wait for a lock. */
  abstract String countOfWaits();

  abstract String resize(String table, String column, int length);

  abstract String shortestLockTimeout();

  /** A new database on the shared server, with the guard's tables. */
  public Database create() throws SQLException {
    return create(shared());
  }

  Database create(DatabaseServer server) throws SQLException {
    return withGuards(server.createDatabase());
  }

  Database create(String name) throws SQLException {
    return withGuards(shared().createDatabase(name));
  }

  private Database withGuards(Database database) throws SQLException {
    database.execute(SchemaSql.statements(SchemaSql.consumer(consumer)).toArray(String[]::new));
    return database;
  }

  /** The type of a column that numbers rows in the order of their insertion. */
  public String identity() {
    return identity;
  }

  /** Waits until that many statements wait for a lock. */
  public void awaitWaiting(Database database, int statements) {
    await()
        .atMost(TestBed.PATIENCE)
        .until(() -> TestBed.count(database, countOfWaits()) == statements);
  }

  void raise(Connection connection, Failure failure) throws SQLException {
    execute(connection, raising(failure));
  }

  public static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
