package dev.waybill.engine.capture;

/** What the type of the payload's column says about its content. */
final class ContentType {

  static final String JSON = "application/json";
  static final String TEXT = "text/plain; charset=utf-8";
  static final String BINARY = "application/octet-stream";

  private ContentType() {}

  static String ofPostgres(String typeName) {
    return switch (typeName) {
      case "json", "jsonb" -> JSON;
      case "bytea" -> BINARY;
      default -> TEXT;
    };
  }
}
