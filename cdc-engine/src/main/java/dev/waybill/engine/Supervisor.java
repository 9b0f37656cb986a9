package dev.waybill.engine;

import dev.waybill.engine.capture.GapException;
import dev.waybill.engine.capture.SourceMisconfiguredException;
import dev.waybill.engine.capture.SourceUnavailableException;
import dev.waybill.engine.publish.BrokerUnavailableException;
import dev.waybill.engine.publish.ProgressUnreadableException;
import dev.waybill.engine.publish.UnpublishableException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an engine going: one attempt after the other, with a pause between them, until it is told
 * to stop or going on would be wrong. Runs in a thread of its own.
 */
final class Supervisor implements Runnable {

  private final Stages stages;
  private final Journal journal;
  private final RetainedLog retainedLog;
  private final BackOff backOff;
  private final RandomGenerator random;
  private final CountDownLatch stop = new CountDownLatch(1);

  private volatile @Nullable Throwable failure;

  Supervisor(
      Stages stages,
      Journal journal,
      RetainedLog retainedLog,
      BackOff backOff,
      RandomGenerator random) {
    this.stages = stages;
    this.journal = journal;
    this.retainedLog = retainedLog;
    this.backOff = backOff;
    this.random = random;
  }

  /** Makes {@link #run()} return soon. The caller interrupts its thread, too. */
  void stop() {
    stop.countDown();
  }

  /** Why it ended by itself; null if it did not. */
  @Nullable Throwable failure() {
    return failure;
  }

  @Override
  public void run() {
    try {
      while (!isStopped()) {
        attempt();
        pause();
      }
    } catch (InterruptedException e) {
      fail(
          new IllegalStateException(
              "the engine's thread was interrupted, and not by its close; the engine ends", e));
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  private void attempt() throws InterruptedException {
    try {
      new Attempt(stages, journal, retainedLog).run();
    } catch (GapException | UnpublishableException | ProgressUnreadableException e) {
      throw e;
    } catch (SourceMisconfiguredException e) {
      if (!journal.hasStreamed()) {
        throw e;
      }
      journal.failed(EngineState.WAITING_FOR_SOURCE, e);
    } catch (SourceUnavailableException e) {
      journal.failed(EngineState.WAITING_FOR_SOURCE, e);
    } catch (BrokerUnavailableException e) {
      journal.failed(EngineState.WAITING_FOR_BROKER, e);
    } catch (RuntimeException e) {
      journal.failed(EngineState.RECOVERING, e);
    }
  }

  /** Ends early if it is told to stop. */
  private void pause() throws InterruptedException {
    if (!isStopped()) {
      retainedLog.measureIfDue();
    }
    long millis = backOff.pause(journal.failuresInARow(), random).toMillis();
    var unused = stop.await(millis, TimeUnit.MILLISECONDS);
  }

  private boolean isStopped() {
    return stop.getCount() == 0;
  }

  private void fail(Throwable e) {
    if (!isStopped()) {
      failure = e;
      journal.ended(e);
    }
  }
}
