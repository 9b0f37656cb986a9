package dev.waybill.consumer.guard;

import static dev.waybill.consumer.Events.event;
import static dev.waybill.consumer.TestDatabase.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.consumer.TestDatabase;
import dev.waybill.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresGuardTest extends GuardContract {

  private static Database database;

  @BeforeAll
  static void createDatabase() throws SQLException {
    database = TestDatabase.POSTGRESQL.create();
    database.execute(
        "CREATE TABLE effect (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_id"
            + " varchar(255) NOT NULL)",
        "CREATE UNIQUE INDEX one_payment ON effect (event_id) WHERE event_id LIKE 'payment%'");
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
    database.execute("TRUNCATE effect, consumed_event, aggregate_version");
  }

  @Test
  void c50_aDuplicateLeavesTheTransactionUsable() throws Exception {
    handle(inbox, event("e1"));
    Connection connection = open();
    write(connection, event("before"));
    assertThat(inbox.once(connection, event("e1"), () -> write(connection, event("never"))))
        .isEqualTo(DUPLICATE);
    write(connection, event("after"));
    connection.commit();
    assertThat(effects()).containsExactly("e1", "before", "after");
  }

  @Test
  void c51_aHandlerThatSwallowedAnAbortedTransactionHasFailed() throws Exception {
    for (GroupGuard guard :
        new GroupGuard[] {inbox, versions, both, Guard.none().forGroup("billing")}) {
      Connection connection = open();
      assertThatThrownBy(
              () ->
                  guard.once(
                      connection,
                      version(1),
                      () -> swallow(connection, "INSERT INTO effect (event_id) VALUES (NULL)")))
          .isInstanceOf(AbortedTransactionException.class)
          .hasMessageContaining("event v1")
          .hasMessageContaining("aborted inside the handler");
      connection.rollback();
    }
    assertThat(handle(both, version(1))).isEqualTo(IN_ORDER);
  }

  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  void c55_aHigherIsolationGivesAConflictAndTheRepetitionADuplicate(int isolation)
      throws Exception {
    Connection slow = open();
    slow.setTransactionIsolation(isolation);
    execute(slow, "SELECT * FROM effect");
    handle(inbox, event("e1"));
    assertThatThrownBy(() -> inbox.once(slow, event("e1"), () -> write(slow, event("twice"))))
        .matches(failure -> SqlFailure.of(failure) == SqlFailure.CONFLICT);
    slow.rollback();
    assertThat(inbox.once(slow, event("e1"), () -> write(slow, event("twice"))))
        .isEqualTo(DUPLICATE);
    slow.commit();
    assertThat(effects()).containsExactly("e1");
  }

  @Test
  void c56_aUniqueViolationOfTheHandlersOwnIsItsFailureAndNoDuplicate() throws Exception {
    handle(inbox, event("payment-1"));
    Connection connection = open();
    assertThatThrownBy(
            () -> inbox.once(connection, event("e2"), () -> write(connection, event("payment-1"))))
        .isInstanceOf(SQLException.class)
        .matches(failure -> SqlFailure.of(failure) == SqlFailure.OTHER);
    connection.rollback();
    assertThat(handle(inbox, event("e2"))).isEqualTo(IN_ORDER);
  }

  private static void swallow(Connection connection, String sql) {
    try {
      execute(connection, sql);
    } catch (SQLException ignored) {
      // that is the mistake which is to be found out
    }
  }
}
