package dev.waybill.consumer;

import static dev.waybill.consumer.Events.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.consumer.handle.Outcome.Cost;
import dev.waybill.servers.DatabaseServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is away is waited for: no attempt is counted, nothing is parked, nothing is lost. */
abstract class OutageContract {

  /** One for all tests of a subclass. */
  private static @Nullable DatabaseServer running;

  private final TestDatabase kind;
  final Outcomes outcomes = new Outcomes();
  private DatabaseServer server;
  TestBed bed;

  OutageContract(TestDatabase kind) {
    this.kind = kind;
  }

  @AfterAll
  static void closeServer() {
    if (running != null) {
      running.close();
      running = null;
    }
  }

  @BeforeEach
  void open() throws SQLException {
    server = running == null ? kind.start() : running;
    running = server;
    bed = TestBed.open(kind, server, 1);
  }

  @AfterEach
  void close() {
    bed.close();
    server.start();
  }

  @Test
  void c63_theDatabaseGoesAndComesBack() {
    bed.start(writing());
    bed.publishTo(0, event("e1"));
    bed.awaitCommitted("billing", 0, 1);
    server.stop();
    bed.publishTo(0, event("e2"), event("e3"));
    // More often than the policy has attempts.
    await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("retry e2") >= 5);
    assertThat(outcomes.retries()).allMatch(retry -> retry.cost() == Cost.NOTHING);
    assertThat(bed.committed("billing", 0)).isEqualTo(1);
    assertThat(outcomes.states()).endsWith(ConsumerState.WAITING);
    server.start();
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
    server.kill();
    died.countDown();
    await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("retry e1") >= 1);
    server.start();
    bed.awaitCommitted("billing", 0, 1);
    assertThat(bed.effects("billing")).containsExactly("e1");
    assertThat(outcomes.retries()).allMatch(retry -> retry.cost() == Cost.NOTHING);
  }

  @Test
  void theDatabaseIsAwayFromTheStart() {
    server.stop();
    bed.publishTo(0, event("e1"));
    bed.start(writing());
    await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("retry e1") >= 4);
    server.start();
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

  final EventConsumer.Builder writing() {
    return bed.consumer("billing")
        .listener(outcomes)
        .onAny((event, tx) -> TestBed.write("billing", event, tx));
  }
}
