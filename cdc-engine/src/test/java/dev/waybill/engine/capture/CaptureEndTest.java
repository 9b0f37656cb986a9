package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.PostgresServer;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a capture ends: by itself with a reason, or by being closed, and then soon. */
@Timeout(120)
class CaptureEndTest {

  private static BatchHandler throwing(Throwable failure) {
    return batch -> {
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure;
    };
  }

  @Test
  void c28_what_the_handler_throws_ends_the_capture_unchanged() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      Position start = outbox.begin();
      outbox.insert("a");
      for (Throwable failure :
          new Throwable[] {
            new IllegalArgumentException("of the test"),
            new org.apache.kafka.connect.errors.RetriableException("of the test"),
            new NoClassDefFoundError("of the test"),
            new OutOfMemoryError("of the test")
          }) {
        try (Capture capture = outbox.source().capture(start, throwing(failure))) {
          assertThatThrownBy(() -> capture.awaitEnd(Reading.PATIENCE)).isSameAs(failure);
        }
      }
    }
  }

  @Test
  void c28_an_interrupted_handler_ends_the_capture() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      Position start = outbox.begin();
      outbox.insert("a");
      InterruptedException interrupt = new InterruptedException("of the test");
      try (Capture capture =
          outbox
              .source()
              .capture(
                  start,
                  batch -> {
                    throw interrupt;
                  })) {
        assertThatThrownBy(() -> capture.awaitEnd(Reading.PATIENCE)).hasCause(interrupt);
      }
    }
  }

  @Test
  void nothing_of_a_failed_batch_is_acknowledged() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      Position start = outbox.begin();
      outbox.insert("a");
      try (Capture capture =
          outbox.source().capture(start, throwing(new IllegalStateException("of the test")))) {
        assertThatThrownBy(() -> capture.awaitEnd(Reading.PATIENCE)).hasMessage("of the test");
      }
      try (Reading second = Reading.of(outbox, start)) {
        assertThat(second.awaitEventIds(1)).containsExactly("a");
      }
    }
  }

  @Test
  void a_terminated_server_process_ends_the_capture_as_unavailable() throws Exception {
    try (Outbox outbox = Outbox.create();
        Reading reading = Reading.of(outbox, outbox.begin())) {
      outbox.insert("a");
      reading.awaitEventIds(1);
      outbox.query(
          "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = '"
              + outbox.slot()
              + "'");
      assertThatThrownBy(() -> reading.capture().awaitEnd(Reading.PATIENCE))
          .isInstanceOf(SourceUnavailableException.class)
          .hasMessageContaining(outbox.slot());
      outbox.insert("b");
      try (Reading second = Reading.of(outbox, reading.position())) {
        assertThat(second.awaitEventIds(1)).containsExactly("b");
      }
    }
  }

  @Test
  void a_server_that_crashes_ends_the_capture_as_unavailable_and_loses_nothing() throws Exception {
    try (PostgresServer server = PostgresServer.builder(16).setting("fsync", "on").start();
        Outbox outbox = Outbox.create(server, Outbox.PACE);
        Reading reading = Reading.of(outbox, outbox.begin())) {
      outbox.insert("a");
      reading.awaitEventIds(1);
      server.kill();
      assertThatThrownBy(() -> reading.capture().awaitEnd(Reading.PATIENCE))
          .isInstanceOf(SourceUnavailableException.class);
      assertThatThrownBy(() -> outbox.source().inspect())
          .isInstanceOf(SourceUnavailableException.class);
      assertThatThrownBy(() -> Reading.of(outbox, reading.position()))
          .isInstanceOf(SourceUnavailableException.class);
      server.start();
      outbox.insert("b");
      try (Reading second = Reading.of(outbox, reading.position())) {
        assertThat(second.awaitEventIds(1)).containsExactly("b");
      }
    }
  }

  /** The server was put back to an older copy: what it had committed since is unknown to it. */
  @Test
  void a_position_beyond_the_servers_log_is_a_gap() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.begin();
      String beyond = outbox.query("SELECT pg_current_wal_flush_lsn() + 100000000").get(0);
      Position position = PostgresPosition.at(PostgresPosition.parseLsn(beyond));
      assertThatThrownBy(() -> Reading.of(outbox, position))
          .isInstanceOf(GapException.class)
          .hasMessageContaining("older copy")
          .hasMessageContaining(beyond);
      assertThatThrownBy(() -> outbox.source().requireLog(position))
          .isInstanceOf(GapException.class);
    }
  }

  @Test
  void c30_a_missing_slot_is_a_gap_that_names_what_to_do() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      Position position;
      try (Reading reading = Reading.of(outbox, outbox.begin())) {
        outbox.insert("warm");
        reading.awaitEventIds(1);
        position = reading.position();
      }
      dropSlot(outbox);
      outbox.insert("gap");
      assertThatThrownBy(() -> Reading.of(outbox, position))
          .isInstanceOf(GapException.class)
          .hasMessageContaining(outbox.slot() + " does not exist")
          .hasMessageContaining("waybill." + outbox.config().engine() + ".progress");
      assertThat(
              outbox.query(
                  "SELECT slot_name FROM pg_replication_slots WHERE database = current_database()"))
          .isEmpty();
    }
  }

  @Test
  void c30_a_slot_that_was_made_anew_is_a_gap() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      Position start = outbox.begin();
      dropSlot(outbox);
      outbox.insert("gap");
      outbox.query(
          "SELECT pg_create_logical_replication_slot('" + outbox.slot() + "', 'pgoutput')");
      assertThatThrownBy(() -> Reading.of(outbox, start))
          .isInstanceOf(GapException.class)
          .hasMessageContaining("was moved to");
    }
  }

  private static void dropSlot(Outbox outbox) throws Exception {
    try (Connection connection = outbox.connect()) {
      PostgresSlot slot = PostgresSlot.find(connection, outbox.slot());
      assertThat(slot).isNotNull();
      await().atMost(Reading.PATIENCE).until(() -> slot.free(connection));
      slot.drop(connection);
    }
  }

  @Test
  void c32_an_invalidated_slot_is_a_gap() throws Exception {
    try (PostgresServer server =
            PostgresServer.builder(16)
                .setting("max_slot_wal_keep_size", "1MB")
                .setting("min_wal_size", "32MB")
                .setting("max_wal_size", "32MB")
                .start();
        Outbox outbox = Outbox.create(server, Outbox.PACE)) {
      Position start = outbox.begin();
      for (int i = 0; i < 4; i++) {
        outbox.query("SELECT pg_switch_wal()");
        outbox.execute(
            "CREATE TABLE fill_" + i + " AS SELECT generate_series(1, 100000)", "CHECKPOINT");
      }
      assertThatThrownBy(() -> Reading.of(outbox, start))
          .isInstanceOf(GapException.class)
          .hasMessageContaining("lost");
    }
  }

  @Test
  void a_slot_that_is_still_read_is_taken_over() throws Exception {
    try (Outbox outbox = Outbox.create();
        Reading old = Reading.of(outbox, outbox.begin())) {
      outbox.insert("a");
      old.awaitEventIds(1);
      try (Reading taker = Reading.of(outbox, old.position())) {
        assertThatThrownBy(() -> old.capture().awaitEnd(Reading.PATIENCE))
            .isInstanceOf(SourceUnavailableException.class);
        outbox.insert("b");
        assertThat(taker.awaitEventIds(1)).containsExactly("b");
      }
    }
  }

  @Test
  void close_interrupts_a_blocked_handler() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      CountDownLatch blocked = new CountDownLatch(1);
      CountDownLatch interrupted = new CountDownLatch(1);
      Position start = outbox.begin();
      outbox.insert("a");
      Capture capture =
          outbox
              .source()
              .capture(
                  start,
                  batch -> {
                    blocked.countDown();
                    try {
                      new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                      interrupted.countDown();
                      throw e;
                    }
                  });
      assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
      capture.close();
      assertThat(interrupted.await(1, TimeUnit.SECONDS)).isTrue();
      assertThat(capture.awaitEnd(Duration.ofSeconds(1))).isTrue();
    }
  }

  /** The next reader must not have to wait for a handler that will not stop. */
  @Test
  void close_frees_the_slot_even_from_a_handler_that_does_not_listen() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      CountDownLatch blocked = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      Position start = outbox.begin();
      outbox.insert("a");
      Capture capture =
          outbox
              .source()
              .capture(
                  start,
                  batch -> {
                    blocked.countDown();
                    while (release.getCount() > 0) {
                      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
                    }
                    assertThatThrownBy(batch::acknowledge)
                        .isInstanceOf(IllegalStateException.class);
                  });
      assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
      capture.close();
      assertThat(capture.awaitEnd(Duration.ZERO)).isFalse();
      try (Reading second = Reading.of(outbox, start)) {
        assertThat(second.awaitEventIds(1)).containsExactly("a");
      }
      release.countDown();
      assertThat(capture.awaitEnd(Duration.ofSeconds(90))).isTrue();
    }
  }

  @Test
  void close_works_at_once_after_the_start_and_more_than_once() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      Position start = outbox.begin();
      outbox.insert("a");
      for (int i = 0; i < 3; i++) {
        Reading reading = Reading.of(outbox, start);
        reading.close();
        reading.close();
        assertThat(reading.capture().awaitEnd(Reading.PATIENCE)).isTrue();
      }
      try (Reading second = Reading.of(outbox, start)) {
        assertThat(second.awaitEventIds(1)).containsExactly("a");
      }
    }
  }

  @Test
  void close_keeps_the_interrupt_flag_of_its_caller() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      Position start = outbox.begin();
      Reading reading = Reading.of(outbox, start);
      outbox.insert("a");
      reading.awaitEventIds(1);
      ExecutorService executor = Executors.newSingleThreadExecutor();
      try {
        Future<Boolean> flag =
            executor.submit(
                () -> {
                  Thread.currentThread().interrupt();
                  reading.close();
                  return Thread.interrupted();
                });
        assertThat(flag.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(reading.capture().awaitEnd(Duration.ZERO)).isTrue();
      } finally {
        executor.shutdownNow();
      }
    }
  }
}
