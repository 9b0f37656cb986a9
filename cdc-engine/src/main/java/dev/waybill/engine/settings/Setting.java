package dev.waybill.engine.settings;

/**
 * Something that somebody has set, known to us or not.
 *
 * @param text as it was written; empty for a key without a value
 * @param origin the line or the variable that sets it
 */
record Setting(String name, String text, String origin) {

  /** How messages begin. */
  String where() {
    return name + " (" + origin + ")";
  }
}
