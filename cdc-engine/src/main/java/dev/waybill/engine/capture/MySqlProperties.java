package dev.waybill.engine.capture;

import static java.util.stream.Collectors.joining;

import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** What Debezium's reader of MySQL is told, beyond {@link DebeziumProperties}. */
final class MySqlProperties {

  /**
   * Debezium disregards the case of names: where it includes a table that we do not know, it would
   * stop at that one's rows.
   */
  private static final String EXACTLY = "(?-i)";

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

  private MySqlProperties() {}

  /**
   * @param name of this reading of the log
   */
  static Properties of(SourceConfig config, MySqlPosition start, String name) {
    Properties properties = DebeziumProperties.of(config, name);
    properties.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
    putConnection(properties, config);
    putLog(properties, config);
    putStart(properties, start, name);
    return properties;
  }

  private static void putConnection(Properties properties, SourceConfig config) {
    MySqlUrl url = MySqlUrl.of(config.login().url());
    properties.setProperty("database.hostname", url.host());
    properties.setProperty("database.port", url.port());
    url.debeziumProperties().forEach(properties::putIfAbsent);
    properties.setProperty("database.server.id", Long.toString(MySqlNames.of(config).serverId()));
    properties.setProperty("connect.timeout.ms", Long.toString(CONNECT_LIMIT.toMillis()));
    // A connection that is renewed within a transaction loses rows.
    properties.setProperty("connect.keep.alive", "false");
    properties.setProperty(
        "connect.keep.alive.interval.ms", Long.toString(serverHeartbeat(config)));
  }

  /**
   * The server is asked to send a sign of life after eight tenths of this without an event, and
   * Debezium looks at its own heartbeat with each of them: so twice in that one's time.
   */
  private static long serverHeartbeat(SourceConfig config) {
    return Math.max(1, config.pace().heartbeat().toMillis() * 10 / 8 / 2);
  }

  private static void putLog(Properties properties, SourceConfig config) {
    properties.setProperty(
        "database.include.list",
        config.tables().stream()
            .map(table -> EXACTLY + DebeziumProperties.quote(table.schema()))
            .distinct()
            .collect(joining(",")));
    properties.setProperty(
        "table.include.list",
        config.tables().stream()
            .map(table -> EXACTLY + DebeziumProperties.pattern(table))
            .collect(joining(",")));
    properties.setProperty("include.schema.changes", "true");
    properties.setProperty("bigint.unsigned.handling.mode", "precise");
    properties.setProperty("datatype.propagate.source.type", ".+\\.LONGTEXT");
    properties.setProperty("time.precision.mode", "adaptive_time_microseconds");
    properties.setProperty("inconsistent.schema.handling.mode", "fail");
  }

  private static void putStart(Properties properties, MySqlPosition start, String name) {
    String place =
        SeededSchemaHistory.json(
            Map.of(
                MySqlLogDecoder.COMPLETE_GTIDS, start.gtids().toString(),
                MySqlLogDecoder.FILE, start.place().file(),
                MySqlLogDecoder.POS, start.place().pos()));
    properties.setProperty("offset.storage", SeededOffsets.class.getName());
    properties.setProperty(SeededOffsets.START, place);
    properties.setProperty("schema.history.internal", SeededSchemaHistory.class.getName());
    properties.setProperty("schema.history.internal.skip.unparseable.ddl", "true");
    properties.setProperty("schema.history.internal.store.only.captured.tables.ddl", "false");
    properties.setProperty("schema.history.internal.store.only.captured.databases.ddl", "false");
    properties.setProperty(SeededSchemaHistory.PLACE, place);
    properties.setProperty(SeededSchemaHistory.SERVER, name);
    Map<String, String> tables = new TreeMap<>();
    start.columns().forEach((table, columns) -> tables.put(table.toString(), columns.definition()));
    properties.setProperty(SeededSchemaHistory.TABLES, SeededSchemaHistory.json(tables));
  }
}
