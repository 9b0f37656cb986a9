package dev.waybill.engine.publish;

import dev.waybill.engine.route.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Kafka as the engine sees it: events in their order, and the progress record behind them. Confined
 * to one thread, but for {@link #close()}. Never used again after a failure: a new one is opened.
 */
public interface Publisher extends AutoCloseable {

  /**
   * The newest progress record. From here on this publisher's own records outweigh those of others
   * that have read it earlier, also where theirs come later.
   *
   * @return null if no engine of this name has ever started against this broker
   * @throws BrokerUnavailableException when the topic cannot be read to its end now
   */
  @Nullable Progress readProgress() throws InterruptedException;

  /**
   * Publishes or parks each route, in order, and returns once the broker has acknowledged all.
   *
   * @throws BrokerUnavailableException when an acknowledgement did not come; what was sent may or
   *     may not be in Kafka
   * @throws UnpublishableException when a row cannot be published and the policy is to stop
   */
  void publish(List<Route> routes) throws InterruptedException;

  /**
   * Stores progress and returns once the broker has acknowledged it. Call it only after everything
   * that it covers was published.
   */
  void storeProgress(Progress progress) throws InterruptedException;

  /** Gives up at once what is still being sent. Idempotent, from any thread. */
  @Override
  void close();
}
