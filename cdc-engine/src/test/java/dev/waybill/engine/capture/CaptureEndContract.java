package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.DatabaseServer;
import java.sql.SQLException;
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
abstract class CaptureEndContract {

  abstract Outbox create() throws SQLException;

  /** Of its own, and what it has committed survives a crash. */
  abstract DatabaseServer startServer();

  private static BatchHandler throwing(Throwable failure) {
    return batch -> {
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure;
    };
  }

  /** As a supervisor does: not every end is told to whoever waits. */
  private static void awaitEnd(Reading reading) {
    await()
        .atMost(Reading.PATIENCE)
        .until(() -> reading.capture().awaitEnd(Duration.ofMillis(100)));
  }

  @Test
  void c28_what_the_handler_throws_ends_the_capture_unchanged() throws Exception {
    try (Outbox outbox = create()) {
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
    try (Outbox outbox = create()) {
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
    try (Outbox outbox = create()) {
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
    try (Outbox outbox = create();
        Reading reading = Reading.of(outbox, outbox.begin())) {
      outbox.insert("a");
      reading.awaitEventIds(1);
      outbox.endConnections();
      assertThatThrownBy(() -> awaitEnd(reading))
          .isInstanceOf(SourceUnavailableException.class)
          .hasMessageContaining("waybill_capture@");
      outbox.insert("b");
      try (Reading second = Reading.of(outbox, reading.position())) {
        assertThat(second.awaitEventIds(1)).containsExactly("b");
      }
    }
  }

  @Test
  void a_server_that_crashes_ends_the_capture_as_unavailable_and_loses_nothing() throws Exception {
    try (DatabaseServer server = startServer();
        Outbox outbox = Outbox.create(server, Outbox.PACE);
        Reading reading = Reading.of(outbox, outbox.begin())) {
      outbox.insert("a");
      reading.awaitEventIds(1);
      server.kill();
      assertThatThrownBy(() -> awaitEnd(reading)).isInstanceOf(SourceUnavailableException.class);
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

  @Test
  void a_log_that_is_still_read_is_taken_over() throws Exception {
    try (Outbox outbox = create();
        Reading old = Reading.of(outbox, outbox.begin())) {
      outbox.insert("a");
      old.awaitEventIds(1);
      try (Reading taker = taker(outbox, old)) {
        assertThatThrownBy(() -> awaitEnd(old)).isInstanceOf(SourceUnavailableException.class);
        outbox.insert("b");
        assertThat(taker.awaitEventIds(1)).containsExactly("b");
      }
    }
  }

  /** The one that still reads may move the log on between the look at its position and its end. */
  private static Reading taker(Outbox outbox, Reading old) throws Exception {
    while (true) {
      Position position = old.position();
      try {
        return Reading.of(outbox, position);
      } catch (GapException e) {
        if (position.equals(old.position())) {
          throw e;
        }
      }
    }
  }

  @Test
  void close_interrupts_a_blocked_handler() throws Exception {
    try (Outbox outbox = create()) {
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
  void close_frees_the_log_even_from_a_handler_that_does_not_listen() throws Exception {
    try (Outbox outbox = create()) {
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
    try (Outbox outbox = create()) {
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
    try (Outbox outbox = create()) {
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
