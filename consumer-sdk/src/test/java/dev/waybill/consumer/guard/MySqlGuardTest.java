package dev.waybill.consumer.guard;

import static dev.waybill.consumer.Events.event;
import static dev.waybill.consumer.TestDatabase.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.consumer.Deadlock;
import dev.waybill.consumer.TestDatabase;
import dev.waybill.event.Event;
import dev.waybill.servers.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections are at REPEATABLE READ, the server's default, unless a test says otherwise. */
class MySqlGuardTest extends GuardContract {

  private static Database database;

  @BeforeAll
  static void createDatabase() throws SQLException {
    database = TestDatabase.MYSQL.create();
    database.execute(
        "CREATE TABLE effect (n "
            + TestDatabase.MYSQL.identity()
            + ", event_id varchar(255) NOT NULL)",
        "CREATE TABLE stock (sku int PRIMARY KEY, reserved int NOT NULL)",
        "CREATE TABLE stock_of_last_year (n int)");
    Deadlock.prepare(database);
  }

  @Override
  Connection connect() throws SQLException {
    return database.connect();
  }

  @Override
  String longestId() {
    return "😀".repeat(64);
  }

  @Override
  void prepare() throws SQLException {
    database.execute(
        "DELETE FROM effect", "DELETE FROM consumed_event", "DELETE FROM aggregate_version");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "useAffectedRows=true",
        "useAffectedRows=false",
        "rewriteBatchedStatements=true&useServerPrepStmts=true",
        "useLocalSessionState=true&useLocalTransactionState=true",
        "jdbcCompliantTruncation=false&sessionVariables=sql_mode=''"
      })
  void whatTheDriverIsSetToChangesNothing(String options) throws Exception {
    String tooLong = "x".repeat(64);
    try (Connection connection = connect(options)) {
      connection.setAutoCommit(false);
      assertThat(onceAndCommit(both, connection, version(1))).isEqualTo(IN_ORDER);
      assertThat(onceAndCommit(both, connection, version(1))).isEqualTo(DUPLICATE);
      assertThat(onceAndCommit(versions, connection, version(1))).isEqualTo(new Verdict.Stale(1));
      assertThat(onceAndCommit(both, connection, version(2))).isEqualTo(IN_ORDER);
      for (int last = 1; last <= 2; last++) {
        assertThat(onceAndCommit(inbox, connection, event(tooLong + last)))
            .isInstanceOf(Verdict.Refused.class);
      }
      assertThat(onceAndCommit(inbox, connection, event(tooLong))).isEqualTo(IN_ORDER);
    }
    assertThat(effects()).containsExactly("v1", "v2", tooLong);
  }

  /** As from a pool with auto-commit off whose test query reads a table. */
  @Test
  void aConnectionThatComesWithinATransactionIsUsed() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.jdbcUrl());
    config.setUsername(database.user());
    config.setPassword(database.password());
    config.setAutoCommit(false);
    try (HikariDataSource pool =
        new HikariDataSource(config) {
          @Override
          public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            execute(connection, "SELECT * FROM stock");
            return connection;
          }
        }) {
      assertThat(new OneTransaction(pool).run(inbox, event("e1"), transaction -> {}))
          .isEqualTo(IN_ORDER);
      assertThat(handle(inbox, event("e1"))).isEqualTo(DUPLICATE);
    }
  }

  /** A snapshot that is older than the other's commit must not hide its rows. */
  @ParameterizedTest
  @ValueSource(
      ints = {
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE
      })
  void c55_whatWasCommittedAfterTheSnapshotIsKnown(int isolation) throws Exception {
    handle(both, version(1));
    Connection slow = open();
    slow.setTransactionIsolation(isolation);
    execute(slow, "SELECT * FROM stock");
    handle(both, version(2));
    handle(inbox, event("e1"));
    assertThat(inbox.once(slow, event("e1"), () -> write(slow, event("twice"))))
        .isEqualTo(DUPLICATE);
    assertThat(versions.once(slow, version(2), () -> write(slow, event("twice"))))
        .isEqualTo(new Verdict.Stale(2));
    assertThat(both.once(slow, version(3), () -> write(slow, version(3)))).isEqualTo(IN_ORDER);
    slow.commit();
    assertThat(effects()).containsExactly("v1", "v2", "e1", "v3");
  }

  @Test
  void c53_waitersForAKeyThatIsGivenUpAreAskedToTryAgain() throws Exception {
    Connection first = open();
    inbox.once(first, event("e1"), () -> write(first, event("e1")));
    ExecutorService waiters = Executors.newFixedThreadPool(2);
    try {
      List<Future<Verdict>> verdicts =
          List.of(
              waiters.submit(() -> handleDespiteConflicts(inbox, event("e1"))),
              waiters.submit(() -> handleDespiteConflicts(inbox, event("e1"))));
      TestDatabase.MYSQL.awaitWaiting(database, 2);
      first.rollback();
      assertThat(List.of(verdicts.get(0).get(), verdicts.get(1).get()))
          .containsExactlyInAnyOrder(IN_ORDER, DUPLICATE);
    } finally {
      waiters.shutdownNow();
      assertThat(waiters.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(effects()).containsExactly("e1");
  }

  @Test
  void c53_aHandlerThatSwallowedADeadlockHasFailed() throws Exception {
    for (GroupGuard guard :
        new GroupGuard[] {inbox, versions, both, Guard.none().forGroup("billing")}) {
      Connection connection = open();
      assertThatThrownBy(
              () ->
                  guard.once(
                      connection,
                      version(1),
                      () -> {
                        write(connection, event("lost"));
                        loseAndSwallow(connection);
                        write(connection, event("kept"));
                      }))
          .isInstanceOf(AbortedTransactionException.class)
          .hasMessageContaining("event v1")
          .hasMessageContaining("rolled back inside the handler");
      connection.rollback();
    }
    assertThat(effects()).isEmpty();
    assertThat(handle(both, version(1))).isEqualTo(IN_ORDER);
  }

  /** DDL commits even where it fails. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "COMMIT",
        "START TRANSACTION",
        "CREATE TABLE made_by_a_handler (n int)",
        "DROP TABLE made_by_a_handler",
        "TRUNCATE TABLE stock_of_last_year",
        "LOCK TABLES stock WRITE",
        "SET autocommit = 1"
      })
  void aHandlerThatCommittedHasFailedWithItsHalf(String committing) throws Exception {
    for (GroupGuard guard : List.of(inbox, versions, both)) {
      for (boolean thenThrows : new boolean[] {false, true}) {
        prepare();
        try (Connection connection = connect()) {
          connection.setAutoCommit(false);
          assertThatThrownBy(
                  () ->
                      guard.once(
                          connection,
                          version(1),
                          () -> {
                            write(connection, event("half"));
                            swallow(connection, committing);
                            if (thenThrows) {
                              throw new IllegalStateException("in the middle");
                            }
                          }))
              .as(committing)
              .isInstanceOf(CommittedTransactionException.class)
              .hasMessageContaining("event v1")
              .matches(e -> thenThrows == (e.getCause() instanceof IllegalStateException));
        }
        assertThat(effects()).containsExactly("half");
      }
    }
  }

  @Test
  void c64_theRowOfAnotherWhoTookOverIsNotTakenForOnesOwn() throws Exception {
    Connection connection = open();
    assertThatThrownBy(
            () ->
                inbox.once(
                    connection,
                    event("e1"),
                    () -> {
                      execute(connection, "ROLLBACK");
                      assertThat(handle(inbox, event("e1"))).isEqualTo(IN_ORDER);
                    }))
        .isInstanceOf(AbortedTransactionException.class);
    connection.rollback();
    assertThat(handle(inbox, event("e1"))).isEqualTo(DUPLICATE);
  }

  @Test
  void whatLeavesTheTransactionAsItIsIsTheHandlersToDo() throws Exception {
    Connection connection = open();
    Verdict verdict =
        inbox.once(
            connection,
            event("e1"),
            () -> {
              execute(connection, "CREATE TEMPORARY TABLE of_the_handler (n int)");
              swallow(connection, "INSERT INTO effect (event_id) VALUES (NULL)");
              execute(connection, "SAVEPOINT own");
              write(connection, event("undone"));
              execute(connection, "ROLLBACK TO SAVEPOINT own");
              write(connection, event("e1"));
            });
    connection.commit();
    assertThat(verdict).isEqualTo(IN_ORDER);
    assertThat(effects()).containsExactly("e1");
  }

  @Test
  void guardsCanBeNestedAndFollowEachOtherInOneTransaction() throws Exception {
    inTransaction(
        connection ->
            inbox.once(
                connection,
                event("outer"),
                () -> {
                  inbox.once(connection, event("inner"), () -> write(connection, event("inner")));
                  inbox.once(connection, event("next"), () -> write(connection, event("next")));
                  write(connection, event("outer"));
                }));
    assertThat(effects()).containsExactly("inner", "next", "outer");
    assertThat(handle(inbox, event("inner"))).isEqualTo(DUPLICATE);
  }

  @Test
  void theTimesAreUtcWhateverTheSession() throws Exception {
    try (Connection connection = connect("sessionVariables=time_zone='-09:00'")) {
      connection.setAutoCommit(false);
      onceAndCommit(both, connection, version(1));
      onceAndCommit(both, connection, version(2));
      try (Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT count(*) FROM consumed_event JOIN aggregate_version"
                      + " ON abs(timestampdiff(MINUTE, consumed_at, utc_timestamp())) < 10"
                      + " AND abs(timestampdiff(MINUTE, updated_at, utc_timestamp())) < 10")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getInt(1)).isEqualTo(2);
      }
    }
  }

  private Verdict onceAndCommit(GroupGuard guard, Connection connection, Event event)
      throws SQLException {
    Verdict verdict = guard.once(connection, event, () -> write(connection, event));
    connection.commit();
    return verdict;
  }

  private static Connection connect(String options) throws SQLException {
    return DriverManager.getConnection(
        database.jdbcUrl() + "?" + options, database.user(), database.password());
  }

  private static void loseAndSwallow(Connection connection) {
    try {
      Deadlock.lose(connection, database);
    } catch (SQLException e) {
      assertThat(SqlFailure.of(e)).isEqualTo(SqlFailure.CONFLICT);
    }
  }

  private static void swallow(Connection connection, String sql) {
    try {
      execute(connection, sql);
    } catch (SQLException ignored) {
      // that is the mistake which is to be found out
    }
  }
}
