package dev.waybill.engine;

import dev.waybill.engine.EngineConfig.Supervision;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Puts an engine together. */
final class EngineBuilder implements OutboxEngine.Builder {

  private final EngineConfig config;
  private final Clock clock = Clock.systemUTC();
  private EngineListener listener = EngineListener.NONE;
  private @Nullable MeterRegistry meters;

  EngineBuilder(EngineConfig config) {
    this.config = Objects.requireNonNull(config, "config");
  }

  @Override
  public OutboxEngine.Builder listener(EngineListener newListener) {
    this.listener = Objects.requireNonNull(newListener, "listener");
    return this;
  }

  @Override
  public OutboxEngine.Builder meters(MeterRegistry registry) {
    this.meters = Objects.requireNonNull(registry, "registry");
    return this;
  }

  @Override
  public OutboxEngine build() {
    PrometheusMeterRegistry served = served();
    EngineMeters engineMeters = new EngineMeters(config.name(), registries(served), clock);
    CurrentStatus status = new CurrentStatus(config.name(), clock, listener);
    Journal journal = new Journal(config.name(), status, engineMeters, listener);
    Stages stages = Stages.of(config, journal, clock);
    Supervision supervision = config.supervision();
    RetainedLog retainedLog =
        new RetainedLog(stages.source(), supervision.measureEvery(), System::nanoTime);
    engineMeters.watch(() -> status.get().state(), retainedLog::bytes);
    return new RunningEngine(
        config,
        status,
        engineMeters,
        new Pages(config.name(), status::get, served),
        new Supervisor(
            stages, journal, retainedLog, supervision.backOff(), RandomGenerator.getDefault()));
  }

  /** What {@code /metrics} shows; the JVM's meters are not added to the registry of others. */
  private static PrometheusMeterRegistry served() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    return registry;
  }

  private MeterRegistry registries(PrometheusMeterRegistry served) {
    CompositeMeterRegistry all = new CompositeMeterRegistry().add(served);
    return meters == null ? all : all.add(meters);
  }
}
