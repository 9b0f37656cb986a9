package dev.waybill.outbox;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What MySQL's JSON functions refuse of a text that is JSON, in one pass. They refuse it as late as
 * the INSERT, and say no more than which CHECK was violated. Measured on MySQL 8.0.31, whose reader
 * of numbers wants the digits before the point to fit a double, and the exponent to be at most 308
 * for a number without a fraction, even where the number itself is small. Half of a surrogate pair
 * is refused if it is the first half.
 */
final class JsonLimits {

  private static final int DEPTH = 100;
  private static final int EXPONENT = 308;
  private static final int HEX_DIGITS = 4;

  private static final Pattern NUMBER =
      Pattern.compile("-?([0-9]++)(?:\\.([0-9]++))?(?:[eE]([+-]?)0*+([0-9]*+))?");

  private final String text;
  private int depth;
  private int at;

  private JsonLimits(String text) {
    this.text = text;
  }

  /**
   * The end of a sentence that begins with the event; null if MySQL takes the payload.
   *
   * @param text JSON
   */
  static @Nullable String problem(String text) {
    String problem = new JsonLimits(text).problem();
    return problem == null ? null : "has a payload that MySQL refuses as JSON: " + problem;
  }

  private @Nullable String problem() {
    String problem = null;
    while (problem == null && at < text.length()) {
      problem = next();
    }
    return problem;
  }

  /** Reads a piece, and says what is wrong with it. */
  private @Nullable String next() {
    return switch (text.charAt(at)) {
      case '{', '[' -> open();
      case '}', ']' -> close();
      case '"' -> string();
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> {
        at++;
        yield null;
      }
    };
  }

  private @Nullable String open() {
    at++;
    depth++;
    return depth > DEPTH ? "more than " + DEPTH + " levels at index " + (at - 1) : null;
  }

  private @Nullable String close() {
    at++;
    depth--;
    return null;
  }

  private @Nullable String string() {
    at++;
    while (text.charAt(at) != '"') {
      if (isHalfAt(at)) {
        return "half of a surrogate pair at index " + at;
      }
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    at++;
    return null;
  }

  /** Whether an escaped first half begins here, and no second half follows. */
  private boolean isHalfAt(int i) {
    return isEscapeAt(i)
        && Character.isHighSurrogate(escapedAt(i))
        && !(isEscapeAt(i + 2 + HEX_DIGITS)
            && Character.isLowSurrogate(escapedAt(i + 2 + HEX_DIGITS)));
  }

  private boolean isEscapeAt(int i) {
    return text.startsWith("\\u", i);
  }

  private char escapedAt(int i) {
    return (char) Integer.parseInt(text, i + 2, i + 2 + HEX_DIGITS, 16);
  }

  private @Nullable String number() {
    Matcher number = NUMBER.matcher(text).region(at, text.length());
    if (!number.lookingAt()) {
      throw new IllegalArgumentException("Not JSON at index " + at);
    }
    at = number.end();
    return isTooLarge(number) ? "a number that is too large at index " + number.start() : null;
  }

  private static boolean isTooLarge(Matcher number) {
    String exponent = number.group(4);
    if (exponent == null && number.end() - number.start() <= EXPONENT) {
      return false;
    }
    return isInfinite(number.group(1))
        || isInfinite(number.group())
        || (!"-".equals(number.group(3))
            && exponent(exponent) > EXPONENT + length(number.group(2)));
  }

  private static boolean isInfinite(String number) {
    return Double.isInfinite(Double.parseDouble(number));
  }

  private static int exponent(@Nullable String digits) {
    if (digits == null || digits.isEmpty()) {
      return 0;
    }
    return digits.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(digits);
  }

  private static int length(@Nullable String digits) {
    return digits == null ? 0 : digits.length();
  }
}
