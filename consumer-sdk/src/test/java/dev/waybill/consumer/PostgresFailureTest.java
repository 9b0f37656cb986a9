package dev.waybill.consumer;

import static dev.waybill.consumer.Events.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.consumer.TestDatabase.Failure;
import dev.waybill.consumer.guard.AbortedTransactionException;
import dev.waybill.wire.ParkedHeaders;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class PostgresFailureTest extends FailureContract {

  PostgresFailureTest() {
    super(TestDatabase.POSTGRESQL);
  }

  @Test
  void c51_aHandlerThatSwallowsAnAbortedTransactionHasFailed() {
    AtomicInteger calls = new AtomicInteger();
    bed.publishTo(0, event("e1"), event("e2"));
    bed.start(
        consumer()
            .onAny(
                (event, tx) -> {
                  TestBed.write("billing", event, tx);
                  if (event.id().equals("e1") && calls.incrementAndGet() < 3) {
                    swallow(tx.connection(), "INSERT INTO effect (event_id) VALUES (NULL)");
                  }
                }));
    bed.awaitCommitted("billing", 0, 2);
    assertThat(bed.effects("billing")).containsExactly("e1", "e2");
    assertThat(outcomes.count("retry e1")).isEqualTo(2);
    assertThat(outcomes.retries())
        .allMatch(retry -> retry.cause() instanceof AbortedTransactionException);
  }

  @Test
  void c51_aHandlerThatAlwaysSwallowsIsParkedWithThatReason() {
    bed.publishTo(0, event("e1"));
    bed.start(
        consumer()
            .onAny(
                (event, tx) ->
                    swallow(tx.connection(), "INSERT INTO effect (event_id) VALUES (NULL)")));
    ConsumerRecord<byte[], byte[]> parked = bed.awaitParked("billing", 1).get(0);
    assertThat(TestBed.header(parked, ParkedHeaders.REASON)).contains("aborted inside the handler");
  }

  @Test
  void c55_aConflictThatTheCommitThrowsIsRepeatedToo() throws SQLException {
    AtomicInteger calls = new AtomicInteger();
    bed.database()
        .execute(
            "CREATE SEQUENCE commits",
            "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF nextval('commits') <= 2 THEN"
                + " RAISE EXCEPTION 'verloren' USING ERRCODE = '40001'; END IF;"
                + " RETURN NULL; END $$",
            "CREATE CONSTRAINT TRIGGER lose_at_commit AFTER INSERT ON effect"
                + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION lose()");
    bed.publishTo(0, event("e1"));
    bed.start(
        consumer()
            .onAny(
                (event, tx) -> {
                  calls.incrementAndGet();
                  TestBed.write("billing", event, tx);
                }));
    bed.awaitCommitted("billing", 0, 1);
    assertThat(calls).hasValue(3);
    assertThat(outcomes.told()).containsExactly("handled e1");
    assertThat(bed.effects("billing")).containsExactly("e1");
  }

  @Test
  void c53_aConflictThatTheHandlerSwallowsIsRepeatedAtOnce() {
    AtomicInteger calls = new AtomicInteger();
    bed.publishTo(0, event("e1"));
    bed.start(
        consumer()
            .onAny(
                (event, tx) -> {
                  TestBed.write("billing", event, tx);
                  if (calls.incrementAndGet() <= 5) {
                    swallow(tx.connection(), TestDatabase.POSTGRESQL.raising(Failure.CONFLICT));
                  }
                }));
    bed.awaitCommitted("billing", 0, 1);
    assertThat(calls).hasValue(6);
    assertThat(outcomes.told()).containsExactly("handled e1");
    assertThat(bed.effects("billing")).containsExactly("e1");
  }
}
