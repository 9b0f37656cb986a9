package dev.waybill.engine.capture;

/** What an engine's name becomes on the server and in Debezium. */
record PostgresNames(String engine) {

  static final String PREFIX = "waybill_";

  static PostgresNames of(SourceConfig config) {
    return new PostgresNames(config.engine());
  }

  String slot() {
    return PREFIX + engine;
  }

  String publication() {
    return PREFIX + engine;
  }

  String topicPrefix() {
    return PREFIX + engine;
  }
}
