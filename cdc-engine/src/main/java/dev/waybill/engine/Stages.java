package dev.waybill.engine;

import dev.waybill.engine.capture.Source;
import dev.waybill.engine.publish.Broker;
import dev.waybill.engine.publish.PublishObserver;
import dev.waybill.engine.route.Router;
import java.time.Clock;
import java.util.function.Supplier;

/**
 * What an engine is made of for its whole life; captures and publishers come and go.
 *
 * @param routers makes a new router for each attempt, since routers belong to one thread
 */
record Stages(EngineConfig config, Source source, Supplier<Router> routers, Broker broker) {

  static Stages of(EngineConfig config, PublishObserver observer, Clock clock) {
    return new Stages(
        config,
        Source.open(config.source(), clock),
        () -> new Router(config.route()),
        new Broker(config.publish(), observer, clock));
  }
}
