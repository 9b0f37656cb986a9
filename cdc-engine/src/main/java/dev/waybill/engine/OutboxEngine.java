package dev.waybill.engine;

import dev.waybill.engine.settings.ConfigurationException;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Carries the rows of one outbox to Kafka: capture, route, publish, acknowledge.
 *
 * <p>Safe for many threads. An engine is started once and closed once:
 *
 * <ul>
 *   <li>{@link #start()} returns at once; whether source and broker can be reached is found out in
 *       the background and waited for.
 *   <li>{@link #close()} may be called at any time, also before the start and again; it returns
 *       when everything is closed, or after {@code supervisor.stop-timeout} with a warning.
 *   <li>An engine that fails by itself ({@link #failure()}) has closed source and broker already;
 *       the first failure is the one that is kept.
 * </ul>
 */
public interface OutboxEngine extends AutoCloseable {

  /** An engine of this configuration. */
  static Builder builder(EngineConfig config) {
    return new EngineBuilder(config);
  }

  /**
   * Starts working in threads of its own.
   *
   * @throws IllegalStateException if it was started or closed before
   * @throws ConfigurationException if health and metrics cannot be served where they should be
   */
  void start();

  /** What is true now. */
  EngineStatus status();

  /**
   * Waits until the engine has ended, by itself or by {@link #close()}.
   *
   * @return false if it was still alive after {@code timeout}
   */
  boolean awaitEnd(Duration timeout) throws InterruptedException;

  /** Why the engine ended by itself; empty while it runs and after a close on demand. */
  Optional<Throwable> failure();

  /** Where health and metrics are served; empty before the start and where they are turned off. */
  Optional<InetSocketAddress> httpAddress();

  /** Stops reading, closes the producer, leaves the rest to the next start. Never throws. */
  @Override
  void close();

  /** Collects what an engine is given. Calls may come in any order; the last one counts. */
  interface Builder {

    /** Told about everything that happens; by default nobody is. */
    Builder listener(EngineListener listener);

    /** Where the engine registers its meters; by default a registry of its own. */
    Builder meters(MeterRegistry registry);

    /** Makes the engine; opens nothing. */
    OutboxEngine build();
  }
}
