package dev.waybill.engine.capture;

/** Names and literals as PostgreSQL's SQL takes them. */
final class Sql {

  private Sql() {}

  static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** For commands that take no parameters; relies on {@code standard_conforming_strings}. */
  static String literal(String text) {
    return '\'' + text.replace("'", "''") + '\'';
  }
}
