package dev.waybill.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.waybill.engine.http.HttpEndpoint;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An engine and what it owns: the HTTP endpoint, the supervisor's thread, the meters. Safe for many
 * threads.
 */
final class RunningEngine implements OutboxEngine {

  private static final Logger log = LoggerFactory.getLogger(OutboxEngine.class);

  private final EngineConfig config;
  private final CurrentStatus status;
  private final EngineMeters meters;
  private final Pages pages;
  private final Supervisor supervisor;
  private final Thread thread;
  private final AtomicBoolean started = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);

  private volatile @Nullable HttpEndpoint endpoint;

  RunningEngine(
      EngineConfig config,
      CurrentStatus status,
      EngineMeters meters,
      Pages pages,
      Supervisor supervisor) {
    this.config = config;
    this.status = status;
    this.meters = meters;
    this.pages = pages;
    this.supervisor = supervisor;
    this.thread = new Thread(this::run, "waybill-" + config.name());
    thread.setDaemon(true);
  }

  @Override
  public void start() {
    if (!started.compareAndSet(false, true)) {
      throw new IllegalStateException("engine " + config.name() + " was started before");
    }
    if (config.http().enabled()) {
      endpoint = new HttpEndpoint(config.http(), pages.all());
    }
    if (!status.enter(EngineState.STARTING, "", null)) {
      release();
      throw new IllegalStateException("engine " + config.name() + " was closed before");
    }
    httpAddress().ifPresent(address -> log.info("Health and metrics are served on {}", address));
    thread.start();
  }

  private void run() {
    try {
      supervisor.run();
      status.enter(EngineState.STOPPED, "", null);
    } finally {
      ended.countDown();
    }
  }

  @Override
  public EngineStatus status() {
    return status.get();
  }

  @Override
  public boolean awaitEnd(Duration timeout) throws InterruptedException {
    return ended.await(timeout.toMillis(), MILLISECONDS);
  }

  @Override
  public Optional<Throwable> failure() {
    return Optional.ofNullable(supervisor.failure());
  }

  @Override
  public Optional<InetSocketAddress> httpAddress() {
    return Optional.ofNullable(endpoint).map(HttpEndpoint::address);
  }

  @Override
  public void close() {
    if (status.enter(EngineState.STOPPED, "it was never started", null)) {
      ended.countDown();
    } else if (status.enter(EngineState.STOPPING, "", null)) {
      supervisor.stop();
      thread.interrupt();
    }
    awaitEnd();
    release();
  }

  /** Called by a listener, it returns before the end, for it is in the way of it. */
  private void awaitEnd() {
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      if (!awaitEnd(config.supervision().stopTimeout())) {
        log.warn(
            "Engine {} did not end within {}; its thread is left to itself. What it had not"
                + " acknowledged is read again at the next start",
            config.name(),
            config.supervision().stopTimeout());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void release() {
    HttpEndpoint serving = endpoint;
    if (serving != null) {
      serving.close();
    }
    meters.close();
  }
}
