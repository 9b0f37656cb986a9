package dev.waybill.consumer.guard;

import static dev.waybill.consumer.Events.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.consumer.TestBed;
import dev.waybill.consumer.TestDatabase;
import dev.waybill.servers.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** C62: what a handler may do with the connection of its event. */
abstract class HandedConnectionContract {

  private final GroupGuard guard = Guard.inbox().forGroup("billing");
  private final TestDatabase kind;
  private final String driversOwn;
  private Database database;
  private HikariDataSource pool;

  /**
   * @param driversOwn an interface of the driver's connection
   */
  HandedConnectionContract(TestDatabase kind, String driversOwn) {
    this.kind = kind;
    this.driversOwn = driversOwn;
  }

  @BeforeEach
  void createDatabase() throws SQLException {
    database = kind.create();
    database.execute("CREATE TABLE effect (event_id varchar(64) NOT NULL)");
    pool = TestBed.pool(database);
    pool.setMaximumPoolSize(2);
  }

  @AfterEach
  void closePool() {
    pool.close();
  }

  interface Misuse {
    void with(Connection connection) throws Exception;
  }

  static Misuse[] misuses() {
    return new Misuse[] {
      Connection::commit,
      Connection::rollback,
      Connection::close,
      connection -> connection.setAutoCommit(true),
      connection -> connection.setAutoCommit(false),
      connection -> connection.abort(Runnable::run),
      connection -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE),
      connection -> connection.createStatement().getConnection().commit(),
      connection -> connection.prepareStatement("SELECT 1").getConnection().commit(),
      connection -> connection.prepareCall("{call nothing()}").getConnection().commit(),
      connection -> connection.getMetaData().getConnection().commit(),
      connection -> {
        try (ResultSet row = connection.createStatement().executeQuery("SELECT 1")) {
          row.getStatement().getConnection().commit();
        }
      },
    };
  }

  @ParameterizedTest
  @MethodSource("misuses")
  final void c62_endingTheTransactionFailsTheHandler(Misuse misuse) throws Exception {
    assertThatThrownBy(
            () ->
                handle(
                    connection -> {
                      write(connection, "before");
                      misuse.with(connection);
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("A handler may not call")
        .hasMessageContaining("(e1)");
    assertThat(effects()).isZero();
    assertThat(handle(connection -> write(connection, "again"))).isEqualTo(admitted());
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  void savepointsAreTheHandlersOwn() throws Exception {
    handle(
        connection -> {
          write(connection, "kept");
          Savepoint savepoint = connection.setSavepoint();
          write(connection, "undone");
          connection.rollback(savepoint);
          Savepoint released = connection.setSavepoint("released");
          write(connection, "kept too");
          connection.releaseSavepoint(released);
        });
    assertThat(effects()).isEqualTo(2);
  }

  @Test
  void aSavepointSavesAHandlerFromAViolationItExpects() throws Exception {
    handle(
        connection -> {
          Savepoint savepoint = connection.setSavepoint();
          try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO effect VALUES (NULL)");
          } catch (SQLException expected) {
            connection.rollback(savepoint);
          }
          write(connection, "after");
        });
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  void theDriversOwnConnectionCanBeReached() throws Exception {
    handle(
        connection -> {
          Class<?> type = Class.forName(driversOwn);
          assertThat(connection.isWrapperFor(type)).isTrue();
          assertThat(connection.unwrap(type)).isInstanceOf(type);
        });
  }

  @Test
  void isOfNoUseAfterTheHandlerReturned() throws Exception {
    AtomicReference<Connection> leaked = new AtomicReference<>();
    handle(leaked::set);
    assertThat(leaked.get().isClosed()).isTrue();
    assertThat(leaked.get().isValid(1)).isFalse();
    assertThatThrownBy(() -> leaked.get().createStatement())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("came too late");
  }

  @Test
  void c62_neitherIsWhatCameOutOfItButToBeClosed() throws Exception {
    AtomicReference<PreparedStatement> insert = new AtomicReference<>();
    AtomicReference<ResultSet> row = new AtomicReference<>();
    handle(
        connection -> {
          insert.set(connection.prepareStatement("INSERT INTO effect VALUES ('late')"));
          row.set(connection.createStatement().executeQuery("SELECT 1"));
        });
    assertThatThrownBy(() -> insert.get().executeUpdate())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("executeUpdate came too late");
    assertThatThrownBy(() -> row.get().next()).isInstanceOf(IllegalStateException.class);
    row.get().close();
    insert.get().close();
    assertThat(insert.get().isClosed()).isTrue();
    assertThat(effects()).isZero();
  }

  @Test
  void theConnectionGoesBackAsItCame() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(
              () ->
                  handle(
                      connection -> {
                        write(connection, "never");
                        throw new IllegalStateException("on purpose");
                      }))
          .hasMessage("on purpose");
    }
    handle(connection -> write(connection, "once"));
    handle(connection -> write(connection, "duplicate"));
    assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    try (Connection next = pool.getConnection()) {
      assertThat(next.getAutoCommit()).isTrue();
    }
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  void c62_whatAHandlerWritesOnItsOwnConnectionIsNotOnceOnly() throws Exception {
    for (int attempt = 1; attempt <= 2; attempt++) {
      assertThatThrownBy(
              () ->
                  handle(
                      connection -> {
                        write(connection, "once-only");
                        try (Connection own = database.connect()) {
                          write(own, "on its own");
                        }
                        throw new IllegalStateException("after both");
                      }))
          .hasMessage("after both");
    }
    assertThat(effects()).as("the handler's own connection has committed twice").isEqualTo(2);
  }

  private Verdict handle(Misuse work) throws Exception {
    return new OneTransaction(pool).run(guard, event("e1"), tx -> work.with(tx.connection()));
  }

  private static Verdict admitted() {
    return new Verdict.Admitted(Passage.IN_ORDER);
  }

  private static void write(Connection connection, String id) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO effect (event_id) VALUES (?)")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  private long effects() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM effect")) {
      row.next();
      return row.getLong(1);
    }
  }
}
