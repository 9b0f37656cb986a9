package dev.waybill.event;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a text is JSON (RFC 8259), in one pass, building nothing, at any depth. The
 * database checks it too, but only says so when the transaction is already lost. The escape {@code
 * \u0000} is JSON, and PostgreSQL's json type takes it.
 */
final class JsonText {

  /** Legal nowhere outside of a string, like the end itself. */
  private static final char END = '\uffff';

  private final String text;

  /** The open containers, outermost first: true for an object, false for an array. */
  private final BitSet objects = new BitSet();

  private int depth;
  private int at;

  private JsonText(String text) {
    this.text = text;
  }

  /** The end of a sentence that begins with the name of the field; null if the text is JSON. */
  static @Nullable String problem(String text) {
    try {
      new JsonText(text).document();
      return null;
    } catch (NotJsonException e) {
      return e.getMessage();
    }
  }

  private void document() {
    do {
      value();
    } while (another());
    if (at < text.length()) {
      throw expected("the end");
    }
  }

  private void value() {
    while (opens()) {
      // the first value inside is next
    }
  }

  /** Reads a scalar or an empty container, or opens one up to its first value: then true. */
  private boolean opens() {
    switch (next()) {
      case '{' -> {
        return open(true, '}');
      }
      case '[' -> {
        return open(false, ']');
      }
      case '"' -> string();
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      default -> number();
    }
    return false;
  }

  private boolean open(boolean object, char close) {
    at++;
    if (next() == close) {
      at++;
      return false;
    }
    objects.set(depth++, object);
    nameIf(object);
    return true;
  }

  /** Behind a value: closes what ends here; true if another value follows. */
  private boolean another() {
    while (depth > 0) {
      boolean object = objects.get(depth - 1);
      char c = next();
      if (c == ',') {
        at++;
        nameIf(object);
        return true;
      }
      if (c != (object ? '}' : ']')) {
        throw expected(object ? "',' or '}'" : "',' or ']'");
      }
      at++;
      depth--;
    }
    next();
    return false;
  }

  private void nameIf(boolean object) {
    if (!object) {
      return;
    }
    if (next() != '"') {
      throw expected("a name in quotes");
    }
    string();
    if (next() != ':') {
      throw expected("':'");
    }
    at++;
  }

  private void string() {
    at++;
    for (char c = here(); c != '"'; c = here()) {
      if (c == '\\') {
        escape();
      } else if (c < ' ' || at >= text.length()) {
        throw expected("the end of a string, or an escape,");
      } else if (Character.isSurrogate(c)) {
        pair();
      } else {
        at++;
      }
    }
    at++;
  }

  private void escape() {
    at++;
    char c = here();
    at++;
    if (c == 'u') {
      for (int i = 0; i < 4; i++) {
        hexDigit();
      }
    } else if ("\"\\/bfnrt".indexOf(c) < 0) {
      at--;
      throw expected("one of \" \\ / b f n r t u");
    }
  }

  private void hexDigit() {
    if (Character.digit(here(), 16) < 0 || here() > 'f') {
      throw expected("a hexadecimal digit");
    }
    at++;
  }

  private void pair() {
    if (!EventRules.isPairAt(text, at)) {
      throw new NotJsonException("contains half of a surrogate pair at index " + at);
    }
    at += 2;
  }

  private void literal(String literal) {
    if (!text.startsWith(literal, at)) {
      throw expected(literal);
    }
    at += literal.length();
  }

  private void number() {
    if (here() == '-') {
      at++;
    }
    if (here() == '0') {
      at++;
    } else {
      digits();
    }
    if (here() == '.') {
      at++;
      digits();
    }
    exponent();
  }

  private void exponent() {
    if (here() == 'e' || here() == 'E') {
      at++;
      if (here() == '+' || here() == '-') {
        at++;
      }
      digits();
    }
  }

  private void digits() {
    if (!isDigit()) {
      throw expected("a value");
    }
    while (isDigit()) {
      at++;
    }
  }

  private boolean isDigit() {
    return here() >= '0' && here() <= '9';
  }

  /** The next character that is no blank. */
  private char next() {
    char c = here();
    while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      at++;
      c = here();
    }
    return c;
  }

  private char here() {
    return at < text.length() ? text.charAt(at) : END;
  }

  private NotJsonException expected(String what) {
    String found = at < text.length() ? EventRules.character(text.codePointAt(at)) : "the end";
    return new NotJsonException(
        "is not JSON: %s expected at index %d, but found %s".formatted(what, at, found));
  }

  /** Ends the pass; never leaves this class. */
  private static final class NotJsonException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotJsonException(String message) {
      super(message, null, false, false);
    }
  }
}
