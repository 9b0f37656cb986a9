package dev.waybill.outbox;

import java.util.Map;
import java.util.StringJoiner;

/** The headers column: an object of strings. */
final class HeadersJson {

  private HeadersJson() {}

  static String write(Map<String, String> headers) {
    StringJoiner members = new StringJoiner(", ", "{", "}");
    headers.forEach((name, value) -> members.add(string(name) + ": " + string(value)));
    return members.toString();
  }

  private static String string(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      append(json, text.charAt(i));
    }
    return json.append('"').toString();
  }

  private static void append(StringBuilder json, char c) {
    if (c == '"' || c == '\\') {
      json.append('\\').append(c);
    } else if (c < ' ') {
      json.append("\\u%04x".formatted((int) c));
    } else {
      json.append(c);
    }
  }
}
