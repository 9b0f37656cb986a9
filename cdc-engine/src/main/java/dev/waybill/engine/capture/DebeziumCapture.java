package dev.waybill.engine.capture;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import io.debezium.engine.spi.OffsetCommitPolicy;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Debezium engine, from its start to its end. Batches are handled on Debezium's polling thread;
 * the other methods are safe for use by any thread.
 */
final class DebeziumCapture
    implements Capture, DebeziumEngine.ChangeConsumer<RecordChangeEvent<SourceRecord>> {

  private static final Logger LOG = LoggerFactory.getLogger(DebeziumCapture.class);

  private static final Duration STOP_LIMIT = Duration.ofSeconds(4);
  private static final Duration END_LIMIT = Duration.ofMillis(500);
  private static final Duration SERVER_LIMIT = Duration.ofSeconds(1);

  private final String name;
  private final LogReader reader;
  private final BatchHandler handler;
  private final Watch watch;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch polling = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
  private final Thread runner;

  private volatile boolean handling;
  private volatile long lastSign = System.nanoTime();
  private volatile boolean startChecked;
  private volatile long lastLook = System.nanoTime();

  private DebeziumCapture(String name, LogReader reader, BatchHandler handler, Watch watch) {
    this.name = name;
    this.reader = reader;
    this.handler = handler;
    this.watch = watch;
    this.engine = build();
    this.runner = new Thread(this::run, name);
    this.runner.setDaemon(true);
  }

  /**
   * Begins to read.
   *
   * @param engine the engine's name, after which threads are called
   */
  static DebeziumCapture start(String engine, LogReader reader, BatchHandler handler, Watch watch) {
    DebeziumCapture capture =
        new DebeziumCapture("waybill-" + engine + "-capture", reader, handler, watch);
    capture.runner.start();
    return capture;
  }

  /** Debezium's builder wants its properties before the handler. */
  private DebeziumEngine<RecordChangeEvent<SourceRecord>> build() {
    return DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
        .using(reader.properties())
        .using(DebeziumCapture.class.getClassLoader())
        .using(OffsetCommitPolicy.always())
        .using((success, message, error) -> fail(error))
        .using(
            new DebeziumEngine.ConnectorCallback() {
              @Override
              public void pollingStarted() {
                polling.countDown();
              }
            })
        .notifying(this)
        .build();
  }

  private void run() {
    try {
      engine.run();
    } catch (Throwable e) {
      fail(e);
    } finally {
      reader.close();
      ended.countDown();
      polling.countDown();
    }
  }

  @Override
  public void handleBatch(
      List<RecordChangeEvent<SourceRecord>> records,
      RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
      throws InterruptedException {
    if (closed.get() || records.isEmpty()) {
      return;
    }
    handling = true;
    try {
      checkStartOnce();
      handler.handle(reader.decode(records, committer, () -> !closed.get()));
    } catch (Throwable e) {
      if (!closed.get()) {
        failure.compareAndSet(null, e);
      }
      throw e;
    } finally {
      lastSign = System.nanoTime();
      handling = false;
    }
  }

  private void checkStartOnce() {
    if (!startChecked) {
      reader.checkStart();
      startChecked = true;
    }
  }

  private void fail(@Nullable Throwable error) {
    if (!closed.get()) {
      failure.compareAndSet(null, errorAmong(error));
    }
  }

  private Throwable errorAmong(@Nullable Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof Error) {
        return cause;
      }
    }
    return reader.meaning(error);
  }

  @Override
  public boolean awaitReading(Duration timeout) throws InterruptedException {
    boolean hasBegun = polling.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    throwFailure();
    return hasBegun;
  }

  private void throwFailure() {
    Throwable reason = failure.get();
    if (reason != null) {
      throw asUnchecked(reason);
    }
  }

  @Override
  public boolean awaitEnd(Duration timeout) throws InterruptedException {
    boolean hasEnded = ended.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    throwFailure();
    if (!hasEnded) {
      checkConnection();
    }
    return hasEnded;
  }

  /**
   * A connection may be dead although nobody was told: its end of the wire just went away. Before
   * the first batch silence alone says nothing, for the server may have much log to pass over; but
   * by then it reads for somebody.
   */
  private void checkConnection() {
    if (handling) {
      return;
    }
    if (reader.isCutOff()) {
      throw dead("it has ended");
    }
    long now = System.nanoTime();
    boolean silent = now - lastSign > watch.silence().toNanos();
    if (!startChecked && !silent) {
      return;
    }
    if (startChecked && silent) {
      throw dead("there was no heartbeat for " + watch.silence().toSeconds() + " s");
    }
    if (now - lastLook > watch.look().toNanos()) {
      lastLook = now;
      checkReader();
    }
  }

  /** Servers stop reading for a client that is silent for long; our end may not hear of it. */
  private void checkReader() {
    try {
      if (!reader.isServed()) {
        throw dead("the server does not read from it for anybody");
      }
    } catch (SQLException e) {
      LOG.debug("Could not look whether {} is read", reader, e);
    }
  }

  private SourceUnavailableException dead(String sign) {
    return new SourceUnavailableException(
        "the connection to " + reader + " is dead: " + sign, null);
  }

  private RuntimeException asUnchecked(Throwable reason) {
    if (reason instanceof Error error) {
      throw error;
    }
    return reason instanceof RuntimeException unchecked
        ? unchecked
        : new IllegalStateException("the handler of " + reader + " was interrupted", reason);
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    onOwnThread("-stop", this::stopEngine);
    if (!await(ended, STOP_LIMIT)) {
      LOG.warn(
          "Reading {} has not ended within {} s: ending its server process",
          reader,
          STOP_LIMIT.toSeconds());
      CountDownLatch endedThere = new CountDownLatch(1);
      onOwnThread(
          "-end",
          () -> {
            endServing();
            endedThere.countDown();
          });
      await(endedThere, SERVER_LIMIT);
    }
  }

  /**
   * Interrupts the handler. Debezium refuses to be stopped while it starts, and if it is stopped
   * just afterwards its runner may wait for ever for a poll that was never begun (3.6.1).
   */
  private void stopEngine() {
    await(polling, STOP_LIMIT);
    try {
      engine.close();
    } catch (IllegalStateException | IOException e) {
      LOG.debug("Debezium was not stopped in order", e);
    }
    if (!await(ended, END_LIMIT)) {
      runner.interrupt();
    }
  }

  private void endServing() {
    try {
      reader.endServing();
    } catch (SQLException e) {
      LOG.debug("The server still reads {} for us; the next start will end that", reader, e);
    }
  }

  private void onOwnThread(String suffix, Runnable task) {
    Thread thread = new Thread(task, name + suffix);
    thread.setDaemon(true);
    thread.start();
  }

  /** Goes on waiting when interrupted, since closing must not be skipped; the flag is kept. */
  private static boolean await(CountDownLatch latch, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return latch.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
