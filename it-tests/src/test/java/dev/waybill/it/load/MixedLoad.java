package dev.waybill.it.load;

import dev.waybill.it.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;

/**
 * Writers that mix all {@linkplain Kind kinds} of transactions, until they are stopped. The same
 * seed makes the same transactions, though not at the same times.
 */
public final class MixedLoad implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Ledger ledger;
  private final ExecutorService threads;
  private final List<Future<?>> writers = new ArrayList<>();
  private volatile boolean stopping;

  private MixedLoad(Ledger ledger, int writers) {
    this.ledger = ledger;
    this.threads = Executors.newFixedThreadPool(writers);
  }

  /** Starts writers of all kinds that pause for {@code pause} after each transaction. */
  public static MixedLoad start(
      World world, Ledger ledger, int writers, Duration pause, long seed) {
    return start(world, ledger, EnumSet.allOf(Kind.class), writers, pause, seed);
  }

  /** Starts writers of some kinds that pause for {@code pause} after each transaction. */
  public static MixedLoad start(
      World world, Ledger ledger, Set<Kind> kinds, int writers, Duration pause, long seed) {
    MixedLoad load = new MixedLoad(ledger, writers);
    List<Kind> mix = List.copyOf(kinds);
    for (int i = 0; i < writers; i++) {
      RandomGenerator random = new SplittableRandom(seed + i);
      Writer writer = new Writer(world, ledger, "w" + i, random);
      load.writers.add(load.threads.submit(() -> load.run(writer, mix, random, pause)));
    }
    return load;
  }

  /** Writes each kind of transaction {@code times} times, in this thread. */
  public static void writeAll(World world, Ledger ledger, String writer, int times, long seed) {
    writeAll(world, ledger, EnumSet.allOf(Kind.class), writer, times, seed);
  }

  /** Writes each of some kinds of transaction {@code times} times, in this thread. */
  public static void writeAll(
      World world, Ledger ledger, Set<Kind> kinds, String writer, int times, long seed) {
    Writer each = new Writer(world, ledger, writer, new SplittableRandom(seed));
    for (int i = 0; i < times; i++) {
      for (Kind kind : kinds) {
        write(each, kind);
      }
    }
    each.disconnect();
  }

  /** Waits until {@code events} more have been committed. */
  public void awaitMore(int events) {
    int enough = ledger.size() + events;
    Awaitility.await()
        .atMost(PATIENCE)
        .failFast("a writer has failed", () -> writers.stream().anyMatch(Future::isDone))
        .until(() -> ledger.size() >= enough);
  }

  private void run(Writer writer, List<Kind> mix, RandomGenerator random, Duration pause) {
    while (!stopping) {
      write(writer, mix.get(random.nextInt(mix.size())));
      LockSupport.parkNanos(pause.toNanos());
    }
    writer.disconnect();
  }

  private static void write(Writer writer, Kind kind) {
    if (!writer.write(kind)) {
      writer.recover();
    }
  }

  @Override
  public void close() {
    stop();
  }

  /** Stops all writers and waits until the ledger is complete. Idempotent. */
  public void stop() {
    stopping = true;
    threads.shutdown();
    try {
      for (Future<?> writer : writers) {
        writer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a writer failed", e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("a writer does not stop; the ledger is not complete", e);
    } finally {
      threads.shutdownNow();
    }
  }
}
