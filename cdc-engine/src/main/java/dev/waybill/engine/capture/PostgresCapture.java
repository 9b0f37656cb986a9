package dev.waybill.engine.capture;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import io.debezium.engine.spi.OffsetCommitPolicy;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
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
final class PostgresCapture
    implements Capture, DebeziumEngine.ChangeConsumer<RecordChangeEvent<SourceRecord>> {

  /**
   * When a connection is taken for dead.
   *
   * @param silence without a record, while heartbeats should come
   * @param look how often the server is asked whether it still reads for us
   */
  record Watch(Duration silence, Duration look) {

    private static final Duration LEAST_SILENCE = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofSeconds(15);
    private static final int HEARTBEATS = 4;

    static Watch of(SourceConfig config) {
      Duration silence = config.pace().heartbeat().multipliedBy(HEARTBEATS);
      return new Watch(silence.compareTo(LEAST_SILENCE) > 0 ? silence : LEAST_SILENCE, LOOK);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(PostgresCapture.class);

  private static final Duration STOP_LIMIT = Duration.ofSeconds(4);
  private static final Duration END_LIMIT = Duration.ofMillis(500);
  private static final Duration FREE_LIMIT = Duration.ofSeconds(1);

  private final PostgresNames names;
  private final PostgresConnections connections;
  private final PostgresPosition start;
  private final BatchHandler handler;
  private final LogDecoder decoder;
  private final Watch watch;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch polling = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
  private final Thread runner;

  private volatile boolean handling;
  private volatile long lastSign = System.nanoTime();
  private volatile boolean slotChecked;
  private volatile long lastLook = System.nanoTime();

  private PostgresCapture(
      SourceConfig config,
      PostgresConnections connections,
      PostgresPosition start,
      BatchHandler handler,
      Watch watch) {
    this.names = PostgresNames.of(config);
    this.connections = connections;
    this.start = start;
    this.handler = handler;
    this.decoder =
        new LogDecoder(
            config.tables(), config.columns(), new PositionTracker(start, config.tables()));
    this.watch = watch;
    this.engine = build(config);
    this.runner = new Thread(this::run, "waybill-" + config.engine() + "-capture");
    this.runner.setDaemon(true);
  }

  static PostgresCapture start(
      SourceConfig config,
      PostgresConnections connections,
      PostgresPosition start,
      BatchHandler handler,
      Watch watch) {
    PostgresCapture capture = new PostgresCapture(config, connections, start, handler, watch);
    capture.runner.start();
    return capture;
  }

  /** Debezium's builder wants its properties before the handler. */
  private DebeziumEngine<RecordChangeEvent<SourceRecord>> build(SourceConfig config) {
    return DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
        .using(DebeziumProperties.of(config))
        .using(PostgresCapture.class.getClassLoader())
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
      checkSlotOnce();
      handler.handle(decode(records, committer));
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

  private CapturedBatch decode(
      List<RecordChangeEvent<SourceRecord>> records,
      RecordCommitter<RecordChangeEvent<SourceRecord>> committer) {
    List<Change> changes = new ArrayList<>(records.size());
    for (RecordChangeEvent<SourceRecord> record : records) {
      decoder.decode(record.record(), changes);
    }
    return new CapturedRecords(
        changes,
        decoder.position(),
        records.get(records.size() - 1),
        committer,
        () -> !closed.get());
  }

  /**
   * Where the slot vanished after we had looked, Debezium has made a new one in silence. Nothing is
   * acknowledged before the first batch: a slot beyond our start is not the one we started from.
   */
  private void checkSlotOnce() {
    if (slotChecked) {
      return;
    }
    try (Connection connection = connections.open()) {
      SlotCheck.behind(start, PostgresSlot.find(connection, names.slot()), names);
      slotChecked = true;
    } catch (SQLException e) {
      throw PostgresErrors.unavailable("checking slot " + names.slot() + " of " + connections, e);
    }
  }

  private void fail(@Nullable Throwable error) {
    if (!closed.get()) {
      failure.compareAndSet(null, meaning(error));
    }
  }

  private Throwable meaning(@Nullable Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof Error) {
        return cause;
      }
    }
    SQLException sql = PostgresErrors.among(error);
    String doing = "reading slot " + names.slot() + " of " + connections;
    return sql == null
        ? new SourceUnavailableException(doing + " ended: " + error, error)
        : PostgresErrors.unavailable(doing, sql);
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
    long now = System.nanoTime();
    boolean silent = now - lastSign > watch.silence().toNanos();
    if (!slotChecked && !silent) {
      return;
    }
    if (slotChecked && silent) {
      throw dead("there was no heartbeat for " + watch.silence().toSeconds() + " s");
    }
    if (now - lastLook > watch.look().toNanos()) {
      lastLook = now;
      checkReader();
    }
  }

  /** The server ends its process after wal_sender_timeout; our end may not hear of it. */
  private void checkReader() {
    try (Connection connection = connections.open()) {
      PostgresSlot slot = PostgresSlot.find(connection, names.slot());
      if (slot == null || slot.activePid() == null) {
        throw dead("the server does not read from it for anybody");
      }
    } catch (SQLException e) {
      LOG.debug("Could not look whether slot {} is read", names.slot(), e);
    }
  }

  private SourceUnavailableException dead(String sign) {
    return new SourceUnavailableException(
        "the connection to slot " + names.slot() + " of " + connections + " is dead: " + sign,
        null);
  }

  private RuntimeException asUnchecked(Throwable reason) {
    if (reason instanceof Error error) {
      throw error;
    }
    return reason instanceof RuntimeException unchecked
        ? unchecked
        : new IllegalStateException("the handler of " + names.slot() + " was interrupted", reason);
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    onOwnThread("-stop", this::stopEngine);
    if (!await(ended, STOP_LIMIT)) {
      LOG.warn(
          "Reading slot {} has not ended within {} s: ending its server process",
          names.slot(),
          STOP_LIMIT.toSeconds());
      CountDownLatch freed = new CountDownLatch(1);
      onOwnThread(
          "-free",
          () -> {
            freeSlot();
            freed.countDown();
          });
      await(freed, FREE_LIMIT);
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

  private void freeSlot() {
    try (Connection connection = connections.open()) {
      PostgresSlot slot = PostgresSlot.find(connection, names.slot());
      if (slot != null) {
        slot.free(connection);
      }
    } catch (SQLException e) {
      LOG.debug("Slot {} could not be freed; the next start will do it", names.slot(), e);
    }
  }

  private void onOwnThread(String suffix, Runnable task) {
    Thread thread = new Thread(task, runner.getName() + suffix);
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
