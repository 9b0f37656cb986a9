package dev.waybill.engine.capture;

/** What an engine's name becomes on the server and in Debezium. */
record PostgresNames(String engine) {

  static PostgresNames of(SourceConfig config) {
    return new PostgresNames(config.engine());
  }

  String slot() {
    return "waybill_" + engine;
  }

  String publication() {
    return "waybill_" + engine;
  }

  String topicPrefix() {
    return "waybill_" + engine;
  }

  String transactionTopic() {
    return topicPrefix() + ".transaction";
  }
}
