package dev.waybill.engine.capture;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * What Debezium is told. The settings that safety rests on are explained in the package's
 * description; an operator can add to them but not change them.
 */
final class DebeziumProperties {

  /** Keys under these belong to capture, set or not. */
  private static final Set<String> RESERVED_PREFIXES =
      Set.of(
          "bootstrap.",
          "column.",
          "connector.",
          "converters",
          "errors.",
          "event.",
          "field.name.",
          "flush.lsn.",
          "heartbeat.",
          "incremental.",
          "key.converter",
          "lsn.flush.mode",
          "message.",
          "name",
          "offset.",
          "plugin.",
          "post.processors",
          "predicates",
          "provide.transaction.metadata",
          "publication.",
          "publish.via.",
          "read.only",
          "record.processing.",
          "replica.identity.",
          "retriable.",
          "schema.include.",
          "schema.exclude.",
          "signal.",
          "skip",
          "slot.",
          "snapshot.",
          "sourceinfo.",
          "streaming.delay.",
          "table.",
          "task.management.",
          "tasks.max",
          "time.precision.",
          "topic.",
          "transaction.",
          "transforms",
          "value.converter");

  private static final Set<String> RESERVED_KEYS =
      Set.of(
          "binary.handling.mode",
          "database.dbname",
          "database.hostname",
          "database.initial.statements",
          "database.password",
          "database.port",
          "database.user",
          "decimal.handling.mode",
          "executor.shutdown.timeout.ms",
          "include.unknown.datatypes",
          "max.batch.size",
          "max.queue.size",
          "max.queue.size.in.bytes",
          "poll.interval.ms",
          "tombstones.on.delete",
          "xmin.fetch.interval.ms");

  private static final AtomicInteger READINGS = new AtomicInteger();

  private DebeziumProperties() {}

  static void addProblems(Map<String, String> passedThrough, List<String> problems) {
    for (String key : new TreeSet<>(passedThrough.keySet())) {
      if (isReserved(key)) {
        problems.add(
            "source.debezium."
                + key
                + " cannot be set: Waybill sets it itself, or relies on its default");
      }
    }
  }

  private static boolean isReserved(String key) {
    return RESERVED_KEYS.contains(key) || RESERVED_PREFIXES.stream().anyMatch(key::startsWith);
  }

  static Properties of(SourceConfig config) {
    Properties properties = new Properties();
    properties.putAll(config.debezium());
    putEngine(properties, config);
    putConnection(properties, config);
    putLog(properties, config);
    putRows(properties, config);
    return properties;
  }

  private static void putEngine(Properties properties, SourceConfig config) {
    String name = PostgresNames.of(config).topicPrefix(READINGS.incrementAndGet());
    properties.setProperty("name", name);
    properties.setProperty("topic.prefix", name);
    properties.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    properties.setProperty(
        "offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");
    properties.setProperty("offset.flush.interval.ms", "0");
    // A retry inside the engine would read the memory store, and lose rows.
    properties.setProperty("errors.max.retries", "0");
    properties.setProperty("record.processing.threads", "1");
    properties.setProperty("record.processing.shutdown.timeout.ms", "500");
    properties.setProperty("executor.shutdown.timeout.ms", "1000");
    properties.setProperty("task.management.timeout.ms", "60000");
    properties.setProperty(
        "poll.interval.ms", Long.toString(config.pace().pollInterval().toMillis()));
    properties.setProperty("max.batch.size", Integer.toString(config.pace().batchSize()));
    properties.setProperty("max.queue.size", Integer.toString(config.pace().queueSize()));
    properties.setProperty("max.queue.size.in.bytes", Long.toString(config.pace().queueBytes()));
  }

  private static void putConnection(Properties properties, SourceConfig config) {
    PostgresUrl url = PostgresUrl.of(config.login().url());
    properties.setProperty("database.hostname", url.host());
    properties.setProperty("database.port", url.port());
    properties.setProperty("database.dbname", url.database());
    properties.setProperty("database.user", config.login().user());
    properties.setProperty("database.password", config.login().password());
    url.parameters().forEach((name, value) -> properties.putIfAbsent(connectionKey(name), value));
  }

  private static String connectionKey(String urlParameter) {
    return (urlParameter.startsWith("ssl") ? "database." : "driver.") + urlParameter;
  }

  private static void putLog(Properties properties, SourceConfig config) {
    PostgresNames names = PostgresNames.of(config);
    properties.setProperty("plugin.name", "pgoutput");
    properties.setProperty("slot.name", names.slot());
    properties.setProperty("slot.drop.on.stop", "false");
    properties.setProperty("slot.max.retries", "0");
    properties.setProperty("publication.name", names.publication());
    properties.setProperty("publication.autocreate.mode", "disabled");
    properties.setProperty("publish.via.partition.root", "true");
    properties.setProperty("snapshot.mode", "no_data");
    properties.setProperty("provide.transaction.metadata", "true");
    properties.setProperty("lsn.flush.mode", "connector");
    properties.setProperty(
        "heartbeat.interval.ms", Long.toString(config.pace().heartbeat().toMillis()));
    properties.setProperty(
        "heartbeat.action.query",
        "SELECT pg_catalog.pg_logical_emit_message(false, 'waybill', '')");
    properties.setProperty("signal.enabled.channels", "");
  }

  private static void putRows(Properties properties, SourceConfig config) {
    properties.setProperty("table.include.list", includeList(config.tables()));
    properties.setProperty("message.prefix.include.list", "waybill");
    properties.setProperty("skipped.operations", "u,d,t");
    properties.setProperty("tombstones.on.delete", "false");
    properties.setProperty("binary.handling.mode", "bytes");
    properties.setProperty("time.precision.mode", "adaptive");
    properties.setProperty("event.processing.failure.handling.mode", "fail");
    properties.setProperty("event.converting.failure.handling.mode", "fail");
  }

  /** Debezium takes regular expressions, divided by commas, without regard to case. */
  private static String includeList(List<TableName> tables) {
    return tables.stream()
        .map(table -> quote(table.schema()) + "\\." + quote(table.name()))
        .collect(Collectors.joining(","));
  }

  private static String quote(String name) {
    StringBuilder quoted = new StringBuilder();
    name.codePoints()
        .forEach(
            point -> {
              if (!Character.isLetterOrDigit(point) && point != '_') {
                quoted.append('\\');
              }
              quoted.appendCodePoint(point);
            });
    return quoted.toString();
  }
}
