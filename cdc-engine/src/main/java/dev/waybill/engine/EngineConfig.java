package dev.waybill.engine;

import dev.waybill.engine.capture.FirstStart;
import dev.waybill.engine.capture.SourceConfig;
import dev.waybill.engine.http.HttpConfig;
import dev.waybill.engine.publish.PublishConfig;
import dev.waybill.engine.route.RouteConfig;
import dev.waybill.engine.settings.ConfigurationException;
import dev.waybill.engine.settings.Keys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Everything an engine is given. Immutable.
 *
 * @param name {@code [a-z0-9_]{1,40}}; topics and what is kept at the source derive from it
 * @param firstStart what becomes of rows that are in the table when the engine starts for the first
 *     time
 */
public record EngineConfig(
    String name,
    SourceConfig source,
    FirstStart.Rows firstStart,
    RouteConfig route,
    PublishConfig publish,
    HttpConfig http,
    Supervision supervision) {

  public EngineConfig {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(firstStart, "firstStart");
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(publish, "publish");
    Objects.requireNonNull(http, "http");
    Objects.requireNonNull(supervision, "supervision");
  }

  /**
   * Reads a YAML file and the environment, which wins; {@code docs/configuration.md} lists the
   * keys.
   *
   * @throws ConfigurationException with everything that is wrong
   */
  public static EngineConfig read(Path file, Map<String, String> environment) {
    try {
      return parse(file.toString(), Files.readString(file), environment);
    } catch (IOException e) {
      throw new ConfigurationException(List.of(file + ": cannot be read: " + e));
    }
  }

  /**
   * The same for a text.
   *
   * @param file where it came from, for messages
   */
  public static EngineConfig parse(String file, String yaml, Map<String, String> environment) {
    return new EngineConfigReader(file, yaml, environment).read();
  }

  /** Every key that a file or the environment may set. */
  public static Keys keys() {
    return EngineKeys.ALL;
  }

  /**
   * How an engine is kept alive.
   *
   * @param backOff between attempts while broker or source are away
   * @param stopTimeout the longest that {@link OutboxEngine#close()} takes
   * @param measureEvery how often the source is asked for the log it retains
   */
  public record Supervision(BackOff backOff, Duration stopTimeout, Duration measureEvery) {

    public Supervision {
      Objects.requireNonNull(backOff, "backOff");
      Objects.requireNonNull(stopTimeout, "stopTimeout");
      Objects.requireNonNull(measureEvery, "measureEvery");
    }
  }
}
