package dev.waybill.engine;

import static dev.waybill.engine.EngineKeys.BACK_OFF_FIRST;
import static dev.waybill.engine.EngineKeys.BACK_OFF_LONGEST;
import static dev.waybill.engine.EngineKeys.BATCH_SIZE;
import static dev.waybill.engine.EngineKeys.CE_SOURCE;
import static dev.waybill.engine.EngineKeys.COLUMNS;
import static dev.waybill.engine.EngineKeys.DEBEZIUM;
import static dev.waybill.engine.EngineKeys.HEADERS;
import static dev.waybill.engine.EngineKeys.HEARTBEAT;
import static dev.waybill.engine.EngineKeys.HTTP_ENABLED;
import static dev.waybill.engine.EngineKeys.HTTP_HOST;
import static dev.waybill.engine.EngineKeys.HTTP_PORT;
import static dev.waybill.engine.EngineKeys.KAFKA;
import static dev.waybill.engine.EngineKeys.MEASURE_EVERY;
import static dev.waybill.engine.EngineKeys.NAME;
import static dev.waybill.engine.EngineKeys.ON_UNPUBLISHABLE;
import static dev.waybill.engine.EngineKeys.POLL_INTERVAL;
import static dev.waybill.engine.EngineKeys.QUEUE_BYTES;
import static dev.waybill.engine.EngineKeys.QUEUE_SIZE;
import static dev.waybill.engine.EngineKeys.REPLICATION;
import static dev.waybill.engine.EngineKeys.SOURCE_FIRST_START;
import static dev.waybill.engine.EngineKeys.SOURCE_LAYOUT;
import static dev.waybill.engine.EngineKeys.SOURCE_PASSWORD;
import static dev.waybill.engine.EngineKeys.SOURCE_SERVER_ID;
import static dev.waybill.engine.EngineKeys.SOURCE_TABLE;
import static dev.waybill.engine.EngineKeys.SOURCE_TYPE;
import static dev.waybill.engine.EngineKeys.SOURCE_URL;
import static dev.waybill.engine.EngineKeys.SOURCE_USER;
import static dev.waybill.engine.EngineKeys.STOP_TIMEOUT;
import static dev.waybill.engine.EngineKeys.TOPIC;

import dev.waybill.engine.EngineConfig.Supervision;
import dev.waybill.engine.capture.SourceConfig;
import dev.waybill.engine.http.HttpConfig;
import dev.waybill.engine.publish.PublishConfig;
import dev.waybill.engine.route.HeaderFormat;
import dev.waybill.engine.route.RouteConfig;
import dev.waybill.engine.settings.ConfigurationException;
import dev.waybill.engine.settings.Settings;
import dev.waybill.engine.settings.SettingsReader;
import dev.waybill.wire.TopicTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Makes an {@link EngineConfig} of settings, and one report of everything that is wrong. */
final class EngineConfigReader {

  private final Settings settings;
  private final List<String> problems;

  EngineConfigReader(String file, String yaml, Map<String, String> environment) {
    this.settings = new SettingsReader(EngineKeys.ALL, environment).read(file, yaml);
    this.problems = new ArrayList<>(settings.problems());
  }

  EngineConfig read() {
    check();
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
    return new EngineConfig(
        settings.get(NAME),
        source(),
        settings.get(SOURCE_FIRST_START),
        route(),
        publish(),
        http(),
        supervision());
  }

  /** What no single value shows. A section whose required keys are missing is not looked at. */
  private void check() {
    if (Stream.of(NAME, SOURCE_URL, SOURCE_USER).allMatch(key -> settings.find(key).isPresent())) {
      problems.addAll(source().problems());
    }
    problems.addAll(
        PublishConfig.problems(settings.below(KAFKA), PublishConfig.DEFAULT_KEEP_ALIVE));
    if (settings.get(BACK_OFF_LONGEST).compareTo(settings.get(BACK_OFF_FIRST)) < 0) {
      problems.add(
          "%s is shorter than %s: pauses grow from the first to the longest"
              .formatted(BACK_OFF_LONGEST.name(), BACK_OFF_FIRST.name()));
    }
  }

  private SourceConfig source() {
    SourceConfig.Type type = settings.get(SOURCE_TYPE);
    SourceConfig.Login login =
        new SourceConfig.Login(
            settings.get(SOURCE_URL),
            settings.get(SOURCE_USER),
            settings.find(SOURCE_PASSWORD).orElse(""),
            settings.find(SOURCE_SERVER_ID).orElse(null));
    return new SourceConfig(
        type,
        settings.get(NAME),
        login,
        settings.find(SOURCE_TABLE).orElseGet(() -> type.defaultTables(login.url())),
        new SourceConfig.Columns(settings.get(SOURCE_LAYOUT), settings.below(COLUMNS)),
        new SourceConfig.Pace(
            settings.get(HEARTBEAT),
            settings.get(POLL_INTERVAL),
            settings.get(BATCH_SIZE),
            settings.get(QUEUE_SIZE),
            settings.get(QUEUE_BYTES)),
        settings.below(DEBEZIUM));
  }

  private RouteConfig route() {
    boolean debezium = settings.get(SOURCE_LAYOUT) == SourceConfig.Layout.DEBEZIUM;
    return new RouteConfig(
        settings.find(TOPIC).orElse(debezium ? TopicTemplate.DEBEZIUM : TopicTemplate.DEFAULT),
        settings.find(HEADERS).orElse(debezium ? HeaderFormat.DEBEZIUM : HeaderFormat.CLOUDEVENTS),
        settings.find(CE_SOURCE).orElseGet(() -> RouteConfig.defaultSource(settings.get(NAME))));
  }

  private PublishConfig publish() {
    return new PublishConfig(
        settings.get(NAME),
        settings.below(KAFKA),
        settings.get(ON_UNPUBLISHABLE),
        settings.find(REPLICATION).map(Integer::shortValue).orElse(PublishConfig.BROKER_DEFAULT),
        PublishConfig.DEFAULT_KEEP_ALIVE);
  }

  private HttpConfig http() {
    return new HttpConfig(
        settings.get(HTTP_ENABLED), settings.get(HTTP_HOST), settings.get(HTTP_PORT));
  }

  private Supervision supervision() {
    return new Supervision(
        new BackOff(settings.get(BACK_OFF_FIRST), settings.get(BACK_OFF_LONGEST)),
        settings.get(STOP_TIMEOUT),
        settings.get(MEASURE_EVERY));
  }
}
