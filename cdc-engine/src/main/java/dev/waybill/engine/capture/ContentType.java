package dev.waybill.engine.capture;

import dev.waybill.engine.capture.SourceConfig.Layout;
import java.util.Locale;

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

  /**
   * As {@link #ofPostgres}. In our own table the payload is LONGTEXT with a check that it is JSON:
   * MySQL's type JSON would not keep the bytes.
   *
   * @param typeName in any case, without length
   */
  static String ofMySql(String typeName, Layout layout) {
    return switch (typeName.toLowerCase(Locale.ROOT)) {
      case "json" -> JSON;
      case "longtext" -> layout == Layout.NATIVE ? JSON : TEXT;
      case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob" -> BINARY;
      default -> TEXT;
    };
  }
}
