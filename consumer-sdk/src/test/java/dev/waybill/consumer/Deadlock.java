package dev.waybill.consumer;

import static dev.waybill.consumer.TestDatabase.execute;

import dev.waybill.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;

/** Deadlocks on InnoDB, real ones. Safe for many threads, if each has a database of its own. */
public final class Deadlock {

  private Deadlock() {}

  /** Makes the tables that the others need. */
  public static void prepare(Database database) throws SQLException {
    database.execute(
        "CREATE TABLE contended (n int PRIMARY KEY, v int NOT NULL)",
        "INSERT INTO contended VALUES (1, 0), (2, 0)",
        "CREATE TABLE ballast (n int)");
  }

  /**
   * Has the transaction of a connection lose against another one: InnoDB rolls back the one that
   * has written less.
   *
   * @throws SQLException that says so
   */
  public static void lose(Connection connection, Database database) throws SQLException {
    try (Connection winner = database.connect()) {
      winner.setAutoCommit(false);
      execute(
          winner,
          "INSERT INTO ballast WITH RECURSIVE list AS"
              + " (SELECT 1 AS n UNION ALL SELECT n + 1 FROM list WHERE n < 200)"
              + " SELECT n FROM list");
      execute(winner, "UPDATE contended SET v = v + 1 WHERE n = 2");
      execute(connection, "UPDATE contended SET v = v + 1 WHERE n = 1");
      CompletableFuture<Void> waiting =
          CompletableFuture.runAsync(
              () ->
                  TestBed.get(
                      () -> {
                        execute(winner, "UPDATE contended SET v = v + 1 WHERE n = 1");
                        return true;
                      }));
      TestDatabase.MYSQL.awaitWaiting(database, 1);
      try {
        execute(connection, "UPDATE contended SET v = v + 1 WHERE n = 2");
      } finally {
        waiting.join();
      }
    }
  }
}
