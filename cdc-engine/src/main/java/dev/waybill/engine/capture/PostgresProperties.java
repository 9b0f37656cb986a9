package dev.waybill.engine.capture;

import java.util.Properties;

/** What Debezium's reader of PostgreSQL is told, beyond {@link DebeziumProperties}. */
final class PostgresProperties {

  private PostgresProperties() {}

  static Properties of(SourceConfig config) {
    String name = PostgresNames.of(config).topicPrefix(DebeziumProperties.nextReading());
    Properties properties = DebeziumProperties.of(config, name);
    properties.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    properties.setProperty(
        "offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");
    putConnection(properties, config);
    putLog(properties, config);
    return properties;
  }

  private static void putConnection(Properties properties, SourceConfig config) {
    PostgresUrl url = PostgresUrl.of(config.login().url());
    properties.setProperty("database.hostname", url.host());
    properties.setProperty("database.port", url.port());
    properties.setProperty("database.dbname", url.database());
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
    properties.setProperty("provide.transaction.metadata", "true");
    properties.setProperty("lsn.flush.mode", "connector");
    properties.setProperty(
        "heartbeat.action.query",
        "SELECT pg_catalog.pg_logical_emit_message(false, 'waybill', '')");
    properties.setProperty("time.precision.mode", "adaptive");
    properties.setProperty("message.prefix.include.list", "waybill");
  }
}
