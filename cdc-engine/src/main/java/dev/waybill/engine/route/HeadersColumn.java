package dev.waybill.engine.route;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads the headers column: a JSON object whose members are all strings. Safe for many threads. */
final class HeadersColumn {

  /**
   * How long a text may be is for the topic to say. Nesting needs no limit: below the first level
   * nothing is read.
   */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final Predicate<String> reserved;

  HeadersColumn(Predicate<String> reserved) {
    this.reserved = reserved;
  }

  /**
   * The members in their order; of several with one name the last counts. SQL NULL and JSON null
   * are no headers.
   */
  Map<String, String> read(@Nullable String text) throws UnroutableException {
    if (text == null) {
      return Map.of();
    }
    try (JsonParser json = JSON.createParser(text)) {
      Map<String, String> members = document(json);
      if (json.nextToken() != null) {
        throw new UnroutableException("headers has something behind its JSON value");
      }
      return members;
    } catch (IOException e) {
      throw new UnroutableException("headers is not valid JSON");
    }
  }

  private Map<String, String> document(JsonParser json) throws IOException, UnroutableException {
    JsonToken first = json.nextToken();
    if (first == JsonToken.VALUE_NULL) {
      return Map.of();
    }
    if (first != JsonToken.START_OBJECT) {
      throw new UnroutableException("headers is not a JSON object");
    }
    Map<String, String> members = new LinkedHashMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      members.put(requireFree(name), value(name, json));
    }
    return members;
  }

  private String requireFree(String name) throws UnroutableException {
    if (reserved.test(name)) {
      throw new UnroutableException("headers has '" + name + "', which only Waybill may write");
    }
    return requireText(name, name);
  }

  private static String value(String name, JsonParser json)
      throws IOException, UnroutableException {
    if (json.nextToken() != JsonToken.VALUE_STRING) {
      throw new UnroutableException("headers has '" + name + "', which is not a string");
    }
    return requireText(name, json.getText());
  }

  /** JSON can escape half a surrogate pair; UTF-8 has no bytes for it, Java would write '?'. */
  private static String requireText(String name, String text) throws UnroutableException {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (i + 1 == text.length()
            || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
          throw new UnroutableException(
              "headers has half a surrogate pair in '" + name.replaceAll("\\p{Cs}", "?") + "'");
        }
        i++;
      }
    }
    return text;
  }
}
