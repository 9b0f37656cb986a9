package dev.waybill.engine;

import static dev.waybill.engine.EngineListener.Point.ACKNOWLEDGING;
import static dev.waybill.engine.EngineListener.Point.PROGRESS_STORED;
import static dev.waybill.engine.EngineListener.Point.PUBLISHED;

import dev.waybill.engine.acknowledge.Acknowledger;
import dev.waybill.engine.capture.BatchHandler;
import dev.waybill.engine.capture.Change;
import dev.waybill.engine.capture.Position;
import dev.waybill.engine.publish.Progress;
import dev.waybill.engine.publish.Progress.Phase;
import dev.waybill.engine.publish.Publisher;
import dev.waybill.engine.route.Route;
import dev.waybill.engine.route.Router;
import java.util.List;
import java.util.Map;

/**
 * The loop: what was captured is routed, published and acknowledged, one batch after the other. It
 * tries nothing twice: whatever fails ends it. Confined to one thread at a time: the supervisor's
 * while a first start publishes what is there, then the one that reads the log.
 */
final class Pipeline {

  private final Map<String, String> identity;
  private final Router router;
  private final Publisher publisher;
  private final Journal journal;

  Pipeline(Map<String, String> identity, Router router, Publisher publisher, Journal journal) {
    this.identity = identity;
    this.router = router;
    this.publisher = publisher;
    this.journal = journal;
  }

  /** The loop's body, for a log that is read from {@code start} on. */
  BatchHandler from(Position start) {
    Acknowledger acknowledger =
        new Acknowledger(this::storeProgress, start, () -> journal.reached(ACKNOWLEDGING));
    return captured -> {
      publish(route(captured.changes()));
      acknowledger.acknowledge(captured);
      journal.acknowledged();
    };
  }

  List<Route> route(List<Change> changes) {
    return changes.stream().map(router::route).toList();
  }

  void publish(List<Route> routes) throws InterruptedException {
    journal.publishing(routes);
    publisher.publish(routes);
    journal.published(routes);
    journal.reached(PUBLISHED);
  }

  void storeProgress(Position position) throws InterruptedException {
    publisher.storeProgress(new Progress(Phase.STREAMING, identity, position.toMap()));
    journal.reached(PROGRESS_STORED);
  }

  void storeInitialising() throws InterruptedException {
    publisher.storeProgress(new Progress(Phase.INITIALISING, identity, Map.of()));
  }
}
