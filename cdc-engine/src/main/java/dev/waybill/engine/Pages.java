package dev.waybill.engine;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waybill.engine.http.HttpEndpoint.Answer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What an engine serves over HTTP. Safe for many threads. */
final class Pages {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final String engine;
  private final Supplier<EngineStatus> status;
  private final PrometheusMeterRegistry registry;

  Pages(String engine, Supplier<EngineStatus> status, PrometheusMeterRegistry registry) {
    this.engine = engine;
    this.status = status;
    this.registry = registry;
  }

  Map<String, Supplier<Answer>> all() {
    return new TreeMap<>(
        Map.of(
            "/health/live", this::live, "/health/ready", this::ready, "/metrics", this::metrics));
  }

  /** 200 while the engine works or waits: starting it anew would not help. */
  private Answer live() {
    EngineStatus now = status.get();
    return health(now, !now.state().isFinal());
  }

  /** 200 while events flow. */
  private Answer ready() {
    EngineStatus now = status.get();
    return health(now, now.state() == EngineState.STREAMING);
  }

  private Answer health(EngineStatus now, boolean good) {
    ObjectNode body = JSON.createObjectNode();
    body.put("engine", engine);
    body.put("state", now.state().toString());
    body.put("reason", now.reason());
    body.put("since", now.since().toString());
    return Answer.json(good ? 200 : 503, body + "\n");
  }

  private Answer metrics() {
    return new Answer(200, METRICS_TYPE, registry.scrape());
  }
}
