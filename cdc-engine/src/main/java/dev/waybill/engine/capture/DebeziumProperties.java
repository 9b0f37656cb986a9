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
          "heartbeat.",
          "incremental.",
          "key.converter",
          "message.",
          "name",
          "offset.",
          "post.processors",
          "predicates",
          "provide.transaction.metadata",
          "read.only",
          "record.processing.",
          "retriable.",
          "schema.exclude.",
          "schema.include.",
          "signal.",
          "skip",
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
          "value.converter",
          "waybill.");

  private static final Set<String> RESERVED_KEYS =
      Set.of(
          "binary.handling.mode",
          "database.hostname",
          "database.initial.statements",
          "database.password",
          "database.port",
          "database.user",
          "decimal.handling.mode",
          "executor.shutdown.timeout.ms",
          "max.batch.size",
          "max.queue.size",
          "max.queue.size.in.bytes",
          "poll.interval.ms",
          "tombstones.on.delete");

  private static final Set<String> POSTGRES_PREFIXES =
      Set.of(
          "database.dbname",
          "flush.lsn.",
          "include.unknown.datatypes",
          "lsn.flush.mode",
          "plugin.",
          "publication.",
          "publish.via.",
          "replica.identity.",
          "slot.",
          "xmin.fetch.interval.ms");

  private static final Set<String> MYSQL_PREFIXES =
      Set.of(
          "bigint.unsigned.",
          "binlog.",
          "connect.",
          "database.exclude.",
          "database.history.",
          "database.include.",
          "database.jdbc.",
          "database.protocol",
          "database.server.",
          "datatype.",
          "ddl.",
          "enable.time.adjuster",
          "gtid.",
          "guardrail.",
          "include.",
          "inconsistent.",
          "internal.",
          "min.row.count.",
          "schema.history.",
          "use.nongraceful.");

  private static final AtomicInteger READINGS = new AtomicInteger();

  private DebeziumProperties() {}

  static void addProblems(
      SourceConfig.Type type, Map<String, String> passedThrough, List<String> problems) {
    for (String key : new TreeSet<>(passedThrough.keySet())) {
      if (isReserved(type, key)) {
        problems.add(
            "source.debezium."
                + key
                + " cannot be set: Waybill sets it itself, or relies on its default");
      }
    }
  }

  private static boolean isReserved(SourceConfig.Type type, String key) {
    Set<String> prefixes =
        switch (type) {
          case POSTGRES -> POSTGRES_PREFIXES;
          case MYSQL -> MYSQL_PREFIXES;
        };
    return RESERVED_KEYS.contains(key)
        || RESERVED_PREFIXES.stream().anyMatch(key::startsWith)
        || prefixes.stream().anyMatch(key::startsWith);
  }

  /**
   * The number of one reading of the log, to be part of its name: Debezium registers its JMX beans
   * under that, and waits a minute for those of a reader of the same name that has not ended yet.
   */
  static int nextReading() {
    return READINGS.incrementAndGet();
  }

  /** What every database's reader is told, with what the operator adds. */
  static Properties of(SourceConfig config, String name) {
    Properties properties = new Properties();
    properties.putAll(config.debezium());
    properties.setProperty("name", name);
    properties.setProperty("topic.prefix", name);
    properties.setProperty("database.user", config.login().user());
    properties.setProperty("database.password", config.login().password());
    putEngine(properties, config);
    putRows(properties, config);
    return properties;
  }

  private static void putEngine(Properties properties, SourceConfig config) {
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

  private static void putRows(Properties properties, SourceConfig config) {
    properties.setProperty("snapshot.mode", "no_data");
    properties.setProperty("signal.enabled.channels", "");
    properties.setProperty(
        "heartbeat.interval.ms", Long.toString(config.pace().heartbeat().toMillis()));
    properties.setProperty("table.include.list", includeList(config.tables()));
    properties.setProperty("skipped.operations", "u,d,t");
    properties.setProperty("tombstones.on.delete", "false");
    properties.setProperty("binary.handling.mode", "bytes");
    properties.setProperty("event.processing.failure.handling.mode", "fail");
    properties.setProperty("event.converting.failure.handling.mode", "fail");
  }

  /** Debezium takes regular expressions, divided by commas, without regard to case. */
  private static String includeList(List<TableName> tables) {
    return tables.stream().map(DebeziumProperties::pattern).collect(Collectors.joining(","));
  }

  static String pattern(TableName table) {
    return quote(table.schema()) + "\\." + quote(table.name());
  }

  static String quote(String name) {
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
