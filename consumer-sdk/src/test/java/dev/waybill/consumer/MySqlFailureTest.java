package dev.waybill.consumer;

import static dev.waybill.consumer.Events.event;
import static dev.waybill.consumer.TestDatabase.execute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.consumer.guard.CommittedTransactionException;
import dev.waybill.wire.ParkedHeaders;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MySqlFailureTest extends FailureContract {

  MySqlFailureTest() {
    super(TestDatabase.MYSQL);
  }

  @BeforeEach
  void prepareDeadlocks() throws SQLException {
    Deadlock.prepare(bed.database());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void c53_aDeadlockIsRepeatedAtOnceAlsoIfTheHandlerSwallowsIt(boolean swallows) {
    AtomicInteger calls = new AtomicInteger();
    bed.publishTo(0, event("e1"), event("e2"));
    bed.start(
        consumer()
            .onAny(
                (event, tx) -> {
                  TestBed.write("billing", event, tx);
                  if (event.id().equals("e1") && calls.incrementAndGet() <= 5) {
                    lose(tx.connection(), swallows);
                  }
                }));
    bed.awaitCommitted("billing", 0, 2);
    assertThat(calls).hasValue(6);
    assertThat(outcomes.told()).containsExactly("handled e1", "handled e2");
    assertThat(bed.effects("billing")).containsExactly("e1", "e2");
  }

  @Test
  void c53_aLockThatCannotBeHadInTimeIsTriedAgainAtOnce() throws SQLException {
    AtomicInteger calls = new AtomicInteger();
    bed.publishTo(0, event("e1"));
    try (Connection holder = bed.database().connect()) {
      holder.setAutoCommit(false);
      execute(holder, "UPDATE contended SET v = 1 WHERE n = 1");
      bed.start(
          consumer()
              .onAny(
                  (event, tx) -> {
                    TestBed.write("billing", event, tx);
                    if (calls.incrementAndGet() == 2) {
                      holder.rollback();
                    }
                    execute(tx.connection(), TestDatabase.MYSQL.shortestLockTimeout());
                    execute(tx.connection(), "UPDATE contended SET v = v + 2 WHERE n = 1");
                  }));
      bed.awaitCommitted("billing", 0, 1);
    }
    assertThat(calls).hasValue(2);
    assertThat(outcomes.told()).containsExactly("handled e1");
    assertThat(bed.effects("billing")).containsExactly("e1");
    assertThat(bed.count("SELECT v FROM contended WHERE n = 1")).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHandlerThatCommitsIsParkedAtOnceAndNeverADuplicate(boolean thenThrows) {
    AtomicInteger calls = new AtomicInteger();
    bed.publishTo(0, event("ddl"), event("e2"));
    bed.start(
        consumer()
            .onAny(
                (event, tx) -> {
                  TestBed.write("billing", event, tx);
                  if (event.id().equals("ddl")) {
                    calls.incrementAndGet();
                    execute(tx.connection(), "CREATE TABLE made_by_a_handler (n int)");
                    TestBed.write("billing", event("rest"), tx);
                    if (thenThrows) {
                      throw new IllegalStateException("in the middle");
                    }
                  }
                }));
    bed.awaitCommitted("billing", 0, 2);
    assertThat(outcomes.told()).containsExactly("parked FAILED ddl", "handled e2");
    assertThat(calls).hasValue(1);
    assertThat(bed.effects("billing")).as("what cannot be taken back").containsExactly("ddl", "e2");
    ConsumerRecord<byte[], byte[]> parked = bed.awaitParked("billing", 1).get(0);
    assertThat(TestBed.header(parked, ParkedHeaders.EXCEPTION))
        .isEqualTo(CommittedTransactionException.class.getName());
    assertThat(TestBed.header(parked, ParkedHeaders.REASON))
        .contains("committed inside the handler", "delete the guard's row");
    assertThat(TestBed.header(parked, ParkedHeaders.ATTEMPTS)).isEqualTo("1");
  }

  /** What the pool's connections are set to is for others. */
  @Test
  void handlersRunAtReadCommittedAndTheConnectionGoesBackAsItCame() throws SQLException {
    String tooLong = "x".repeat(65);
    bed.publishTo(0, event("e1"), event("e1"), event(tooLong));
    bed.start(
        consumer()
            .workers(1)
            .onAny(
                (event, tx) -> {
                  long before = contended(tx.connection());
                  bed.database().execute("UPDATE contended SET v = v + 1 WHERE n = 1");
                  assertThat(contended(tx.connection())).isEqualTo(before + 1);
                  TestBed.write("billing", event, tx);
                }));
    bed.awaitCommitted("billing", 0, 3);
    assertThat(outcomes.told())
        .containsExactly("handled e1", "duplicate e1", "parked REFUSED " + tooLong);
    try (Connection next = bed.dataSource().getConnection()) {
      assertThat(next.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
      next.setAutoCommit(false);
      long before = contended(next);
      bed.database().execute("UPDATE contended SET v = v + 1 WHERE n = 1");
      assertThat(contended(next)).isEqualTo(before);
      next.rollback();
    }
  }

  private static long contended(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT v FROM contended WHERE n = 1")) {
      row.next();
      return row.getLong(1);
    }
  }

  private void lose(Connection connection, boolean swallow) throws SQLException {
    try {
      Deadlock.lose(connection, bed.database());
    } catch (SQLException e) {
      if (!swallow) {
        throw e;
      }
    }
  }
}
