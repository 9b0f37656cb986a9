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

  /**
   * The name of one reading of the log: Debezium registers its JMX beans under it, and waits a
   * minute for those of a reader of the same name that has not ended yet.
   */
  String topicPrefix(int reading) {
    return PREFIX + engine + "-" + reading;
  }
}
