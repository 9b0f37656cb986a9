package dev.waybill.consumer;

import static dev.waybill.consumer.Events.event;
import static dev.waybill.consumer.TestDatabase.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.consumer.guard.Guard;
import dev.waybill.consumer.handle.Outcome.Cost;
import dev.waybill.event.Event;
import dev.waybill.wire.ParkedHeaders;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of events whose handling fails, where the database has a part in it. */
abstract class FailureContract {

  final Outcomes outcomes = new Outcomes();
  private final TestDatabase database;
  TestBed bed;

  FailureContract(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void open() throws SQLException {
    bed = TestBed.open(database, 2);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  @Test
  void c63_aHandlerThatThrowsAfterWritingLeavesNothingAndIsCalledAgain() {
    AtomicInteger calls = new AtomicInteger();
    bed.publishTo(0, event("e1"), event("e2"));
    bed.start(
        consumer()
            .onAny(
                (event, tx) -> {
                  TestBed.write("billing", event, tx);
                  if (event.id().equals("e1") && calls.incrementAndGet() < 3) {
                    throw new IllegalStateException("after writing");
                  }
                }));
    bed.awaitCommitted("billing", 0, 2);
    assertThat(bed.effects("billing")).containsExactly("e1", "e2");
    assertThat(outcomes.told()).containsExactly("retry e1", "retry e1", "handled e1", "handled e2");
    assertThat(outcomes.retries()).allMatch(retry -> retry.cost() == Cost.AN_ATTEMPT);
  }

  @Test
  void c50_aDuplicateIsNotFoundOutByAnError() {
    bed.publishTo(0, event("e1"), event("e1"), event("e2"));
    bed.start(consumer().onAny((event, tx) -> TestBed.write("billing", event, tx)));
    bed.awaitCommitted("billing", 0, 3);
    assertThat(outcomes.told()).containsExactly("handled e1", "duplicate e1", "handled e2");
    assertThat(outcomes.retries()).isEmpty();
  }

  @Test
  void c55_conflictsAreRepeatedAtOnceAndCostNoAttempt() {
    AtomicInteger calls = new AtomicInteger();
    bed.publishTo(0, event("e1"));
    bed.start(
        consumer()
            .onAny(
                (event, tx) -> {
                  TestBed.write("billing", event, tx);
                  if (calls.incrementAndGet() <= 5) {
                    database.raise(tx.connection(), TestDatabase.Failure.CONFLICT);
                  }
                }));
    bed.awaitCommitted("billing", 0, 1);
    assertThat(calls).hasValue(6);
    assertThat(outcomes.told()).containsExactly("handled e1");
    assertThat(bed.effects("billing")).containsExactly("e1");
  }

  @Test
  void c53_conflictsWithoutEndAreAFailureInTheEnd() {
    bed.publishTo(0, event("e1"), event("e2"));
    bed.start(
        consumer()
            .onAny(
                (event, tx) -> {
                  if (event.id().equals("e1")) {
                    database.raise(tx.connection(), TestDatabase.Failure.CONFLICT);
                  }
                }));
    bed.awaitCommitted("billing", 0, 2);
    assertThat(outcomes.told())
        .containsExactly("retry e1", "retry e1", "parked FAILED e1", "handled e2");
  }

  @Test
  void c56_aViolationOfTheHandlersOwnIsNoDuplicate() throws SQLException {
    bed.database()
        .execute("CREATE TABLE payment (n int PRIMARY KEY)", "INSERT INTO payment VALUES (1)");
    bed.publishTo(0, event("e1"));
    bed.start(
        consumer()
            .onAny((event, tx) -> execute(tx.connection(), "INSERT INTO payment VALUES (1)")));
    bed.awaitCommitted("billing", 0, 1);
    assertThat(outcomes.told()).containsExactly("retry e1", "retry e1", "parked FAILED e1");
  }

  @Test
  void c63_aFirstVersionThatWasParkedTakesEffectWhenItIsOfferedAgain() {
    AtomicBoolean fixed = new AtomicBoolean();
    bed.publishTo(0, version(1), version(2));
    bed.start(
        consumer()
            .guard(Guard.inbox().and(Guard.aggregateVersion()))
            .onAny(
                (event, tx) -> {
                  if (event.id().equals("v1") && !fixed.get()) {
                    throw new IllegalStateException("poison");
                  }
                  TestBed.write("billing", event, tx);
                }));
    bed.awaitCommitted("billing", 0, 2);
    assertThat(outcomes.told())
        .containsExactly("retry v1", "retry v1", "parked FAILED v1", "parked GAP v2");
    fixed.set(true);
    bed.awaitParked("billing", 2).forEach(parked -> bed.send(asItCame(parked)));
    bed.awaitCommitted("billing", 0, 4);
    assertThat(outcomes.told()).endsWith("handled v1", "handled v2");
    assertThat(bed.effects("billing")).containsExactly("v1", "v2");
  }

  @Test
  void c58_whatOnlyTheDatabaseKnowsNotToFitIsParkedAndHoldsUpNobody() throws SQLException {
    bed.database()
        .execute(
            database.resize("consumed_event", "event_id", 8),
            database.resize("aggregate_version", "aggregate_id", 8));
    bed.publishTo(
        0,
        event("123456789"),
        event("e2", "OrderCreated", "order-456", 1L),
        event("e3", "OrderCreated", "a", 1L));
    bed.start(
        consumer()
            .guard(Guard.inbox().and(Guard.aggregateVersion()))
            .onAny((event, tx) -> TestBed.write("billing", event, tx)));
    bed.awaitCommitted("billing", 0, 3);
    assertThat(outcomes.told())
        .containsExactly("parked REFUSED 123456789", "parked REFUSED e2", "handled e3");
    assertThat(TestBed.header(bed.awaitParked("billing", 2).get(0), ParkedHeaders.REASON))
        .contains("the guard's tables cannot hold its identity");
  }

  @Test
  void c62_aHandlerThatLocksItselfOutIsParkedIfTheDatabaseHasALockTimeout() throws SQLException {
    bed.database()
        .execute(
            "CREATE TABLE stock (sku varchar(20) PRIMARY KEY, reserved int)",
            "INSERT INTO stock VALUES ('a', 0)");
    bed.publishTo(0, event("both"), event("e2"));
    bed.start(
        consumer()
            .onAny(
                (event, tx) -> {
                  if (event.id().equals("both")) {
                    execute(tx.connection(), "UPDATE stock SET reserved = 1");
                    try (Connection second = bed.dataSource().getConnection()) {
                      execute(second, database.shortestLockTimeout());
                      execute(second, "UPDATE stock SET reserved = 2");
                    }
                  }
                  TestBed.write("billing", event, tx);
                }));
    bed.awaitCommitted("billing", 0, 2);
    assertThat(outcomes.told())
        .containsExactly("retry both", "retry both", "parked FAILED both", "handled e2");
    assertThat(bed.count("SELECT reserved FROM stock")).isZero();
  }

  @Test
  void aDatabaseThatIsFullIsWaitedForThoughTheConnectionLives() {
    AtomicBoolean full = new AtomicBoolean(true);
    bed.publishTo(0, event("e1"));
    bed.start(
        consumer()
            .onAny(
                (event, tx) -> {
                  if (full.get()) {
                    database.raise(tx.connection(), TestDatabase.Failure.FULL);
                  }
                  TestBed.write("billing", event, tx);
                }));
    await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("retry e1") >= 4);
    full.set(false);
    bed.awaitCommitted("billing", 0, 1);
    assertThat(outcomes.retries()).allMatch(retry -> retry.cost() == Cost.NOTHING);
    assertThat(bed.effects("billing")).containsExactly("e1");
  }

  /** As an operator offers a parked event again. */
  private ProducerRecord<byte[], byte[]> asItCame(ConsumerRecord<byte[], byte[]> parked) {
    return new ProducerRecord<>(
        bed.topic(), 0, null, parked.key(), parked.value(), parked.headers());
  }

  final EventConsumer.Builder consumer() {
    return bed.consumer("billing").listener(outcomes);
  }

  private static Event version(long version) {
    return event("v" + version, "OrderChanged", "a", version);
  }

  static void swallow(Connection connection, String sql) {
    try {
      execute(connection, sql);
    } catch (SQLException ignored) {
      // that is the mistake which is to be found out
    }
  }
}
