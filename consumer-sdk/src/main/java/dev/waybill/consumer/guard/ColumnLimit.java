package dev.waybill.consumer.guard;

import dev.waybill.event.EventRules;
import org.jspecify.annotations.Nullable;

/**
 * What a text column of the guard tables can hold. Checked before the database is asked: servers
 * differ in whether they refuse or cut what is too long.
 *
 * @param name of the column
 * @param length as the database counts, in code points or in UTF-16 units
 */
record ColumnLimit(String name, int length) {

  /** The end of a sentence about the value; null if the column can hold it. */
  @Nullable String problem(String value, Dialect dialect) {
    int actual = dialect.length(value);
    if (actual == 0) {
      return name + " is empty";
    }
    if (actual > length) {
      return name + " has " + actual + " characters, the guard's column holds " + length;
    }
    String character = EventRules.characterProblem(value);
    return character == null ? null : name + " " + character;
  }
}
