package dev.waybill.consumer;

import dev.waybill.consumer.park.ParkSettings;
import dev.waybill.consumer.park.Parker;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts and stops the loop. Safe for many threads. */
final class KafkaEventConsumer implements EventConsumer {

  private static final Logger LOG = LoggerFactory.getLogger(EventConsumer.class);

  /** For the broker's part of closing, beyond that of the handlers. */
  private static final Duration CLOSE_MARGIN = Duration.ofSeconds(15);

  private final ConsumerConfig config;
  private final StateCell state;
  private final Listeners listeners;
  private final ConsumerThreads threads;
  private final StopSignal stop = new StopSignal();
  private @Nullable Thread poller;

  KafkaEventConsumer(ConsumerConfig config) {
    this.config = config;
    this.listeners = new Listeners(config.listeners());
    this.state = new StateCell(listeners);
    this.threads = new ConsumerThreads(config.group());
  }

  @Override
  public synchronized void start() {
    if (!state.move(ConsumerState.CREATED, ConsumerState.RUNNING)) {
      throw new IllegalStateException(
          "Consumer '" + config.group() + "' cannot be started, it is " + state.get());
    }
    poller = threads.newPoller(this::run);
    poller.start();
  }

  @Override
  public ConsumerState state() {
    return state.get();
  }

  @Override
  public void close() {
    if (!state.move(ConsumerState.CREATED, ConsumerState.CLOSED)) {
      state.moveTo(ConsumerState.CLOSING);
      stop.give();
      awaitEnd();
    }
  }

  private void awaitEnd() {
    Thread thread = poller();
    if (thread == null || threads.includeCaller()) {
      return;
    }
    try {
      thread.join(config.pace().closeTimeout().plus(CLOSE_MARGIN).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      LOG.warn("Consumer '{}' is still closing", config.group());
    }
  }

  private synchronized @Nullable Thread poller() {
    return poller;
  }

  private void run() {
    Outages outages = new Outages(config.group(), state);
    // Of the generators, this one may be shared.
    RandomGenerator random = new Random();
    Clock clock = Clock.systemUTC();
    ParkSettings park =
        new ParkSettings(
            config.group(), config.subscription().settings(), config.failing().parkTimeout());
    try (Parker parker = new Parker(config.group(), park, clock)) {
      EventProcessor processor = new EventProcessor(config, parker, outages, clock, random);
      Workers workers =
          new Workers(config.group(), config.pace().workers(), threads, processor, listeners);
      try {
        new ConsumerLoop(config, workers, outages, listeners, random).run(stop);
      } finally {
        workers.stop();
      }
    } catch (InterruptedException e) {
      LOG.info("Consumer '{}' was interrupted and ends", config.group());
      state.moveTo(ConsumerState.CLOSING);
    } catch (Throwable defect) {
      LOG.error("Consumer '{}' has failed; offsets stay where they are", config.group(), defect);
      state.moveTo(ConsumerState.FAILED);
    }
    state.moveTo(ConsumerState.CLOSED);
  }
}
