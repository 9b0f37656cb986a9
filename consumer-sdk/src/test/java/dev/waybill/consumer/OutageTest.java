package dev.waybill.consumer;

import static dev.waybill.consumer.Events.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.consumer.handle.Outcome.Cost;
import dev.waybill.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is away is waited for: no attempt is counted, nothing is parked, nothing is lost. */
class OutageTest {

  private static PostgresServer postgres;

  private final Outcomes outcomes = new Outcomes();
  private TestBed bed;

  @BeforeAll
  static void startServer() {
    postgres = PostgresServer.builder(16).start();
  }

  @AfterAll
  static void closeServer() {
    postgres.close();
  }

  @BeforeEach
  void open() throws SQLException {
    bed = TestBed.open(postgres, 1);
  }

  @AfterEach
  void close() {
    bed.close();
    postgres.start();
  }

  @Test
  void c63_theDatabaseGoesAndComesBack() {
    bed.start(writing());
    bed.publishTo(0, event("e1"));
    bed.awaitCommitted("billing", 0, 1);
    postgres.stop();
    bed.publishTo(0, event("e2"), event("e3"));
    // More often than the policy has attempts.
    await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("retry e2") >= 5);
    assertThat(outcomes.retries()).allMatch(retry -> retry.cost() == Cost.NOTHING);
    assertThat(bed.committed("billing", 0)).isEqualTo(1);
    assertThat(outcomes.states()).endsWith(ConsumerState.WAITING);
    postgres.start();
    bed.awaitCommitted("billing", 0, 3);
    assertThat(bed.effects("billing")).containsExactly("e1", "e2", "e3");
    assertThat(outcomes.count("parked")).isZero();
    assertThat(outcomes.states()).endsWith(ConsumerState.WAITING, ConsumerState.RUNNING);
  }

  @Test
  void c63_theDatabaseDiesUnderARunningHandler() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch died = new CountDownLatch(1);
    bed.publishTo(0, event("e1"));
    bed.start(
        bed.consumer("billing")
            .listener(outcomes)
            .onAny(
                (event, tx) -> {
                  TestBed.write("billing", event, tx);
                  writing.countDown();
                  died.await();
                }));
    writing.await();
    postgres.kill();
    died.countDown();
    await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("retry e1") >= 1);
    postgres.start();
    bed.awaitCommitted("billing", 0, 1);
    assertThat(bed.effects("billing")).containsExactly("e1");
    assertThat(outcomes.retries()).allMatch(retry -> retry.cost() == Cost.NOTHING);
  }

  @Test
  void theDatabaseIsAwayFromTheStart() {
    postgres.stop();
    bed.publishTo(0, event("e1"));
    bed.start(writing());
    await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("retry e1") >= 4);
    postgres.start();
    bed.awaitCommitted("billing", 0, 1);
    assertThat(bed.effects("billing")).containsExactly("e1");
  }

  @Test
  void tablesThatAreMissingAreWaitedForAndNamed() throws SQLException {
    bed.database().execute("ALTER TABLE consumed_event RENAME TO hidden");
    bed.publishTo(0, event("e1"));
    bed.start(writing());
    await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("retry e1") >= 4);
    assertThat(outcomes.retries().get(0).cause())
        .hasMessageContaining("consumer.sql")
        .hasMessageContaining("consumed_event");
    bed.database().execute("ALTER TABLE hidden RENAME TO consumed_event");
    bed.awaitCommitted("billing", 0, 1);
    assertThat(outcomes.told()).endsWith("handled e1");
  }

  @Test
  void c62_aPoolWithoutAFreeConnectionIsWaitedFor() throws SQLException {
    HikariDataSource pool = TestBed.pool(bed.database());
    pool.setMaximumPoolSize(1);
    try (pool) {
      try (Connection taken = pool.getConnection()) {
        assertThat(taken.isValid(5)).isTrue();
        bed.publishTo(0, event("e1"));
        bed.start(writing().dataSource(pool));
        await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("retry e1") >= 1);
      }
      bed.awaitCommitted("billing", 0, 1);
      assertThat(outcomes.retries()).allMatch(retry -> retry.cost() == Cost.NOTHING);
      assertThat(outcomes.told()).endsWith("handled e1");
      bed.closeConsumers();
    }
  }

  private EventConsumer.Builder writing() {
    return bed.consumer("billing")
        .listener(outcomes)
        .onAny((event, tx) -> TestBed.write("billing", event, tx));
  }
}
