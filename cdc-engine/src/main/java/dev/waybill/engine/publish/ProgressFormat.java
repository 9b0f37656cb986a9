package dev.waybill.engine.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Progress as JSON:
 *
 * <pre>{@code
 * {"version":1,"phase":"streaming","since":4711,"identity":{"system":"7311…"},"position":{"lsn":"0/1A2B3C8"}}
 * }</pre>
 *
 * What is in {@code identity} and {@code position} is the source's affair; {@code since} is what
 * {@link ProgressTopic} compares. A reader ignores members that it does not know; what it must not
 * ignore gets a new version. Stateless.
 */
final class ProgressFormat {

  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private ProgressFormat() {}

  /**
   * @param since where the topic ended when the writer of this record had read it
   */
  static byte[] write(Progress progress, long since) {
    ObjectNode root = JSON.createObjectNode();
    root.put("version", VERSION);
    root.put("phase", progress.phase().name().toLowerCase(Locale.ROOT));
    root.put("since", since);
    new TreeMap<>(progress.identity()).forEach(root.putObject("identity")::put);
    new TreeMap<>(progress.position()).forEach(root.putObject("position")::put);
    try {
      return JSON.writeValueAsBytes(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @param place of the record, for the message
   * @throws ProgressUnreadableException if it was written by a newer version, or by something else
   */
  static Progress read(byte[] value, String place) {
    try {
      return progress(JSON.readTree(value), place);
    } catch (IOException e) {
      throw unreadable(place, "it is not JSON");
    }
  }

  /** What was written as {@code since}; 0 of a record that has none or cannot be read. */
  static long since(byte[] value) {
    try {
      return JSON.readTree(value).path("since").asLong(0);
    } catch (IOException e) {
      return 0;
    }
  }

  private static Progress progress(JsonNode root, String place) {
    int version = root.path("version").asInt(0);
    if (version > VERSION) {
      throw new ProgressUnreadableException(
          "Progress at %s has version %d, this Waybill reads up to %d: a newer Waybill has run here. Nothing was started; start that version again"
              .formatted(place, version, VERSION));
    }
    if (version < 1) {
      throw unreadable(place, "it has no version");
    }
    return new Progress(
        phase(root.path("phase").asText(), place),
        texts(root.path("identity"), place),
        texts(root.path("position"), place));
  }

  private static Progress.Phase phase(String text, String place) {
    for (Progress.Phase phase : Progress.Phase.values()) {
      if (phase.name().toLowerCase(Locale.ROOT).equals(text)) {
        return phase;
      }
    }
    throw unreadable(place, "its phase is '" + text + "'");
  }

  private static Map<String, String> texts(JsonNode node, String place) {
    if (!node.isObject()) {
      throw unreadable(place, "identity or position is missing");
    }
    Map<String, String> texts = new TreeMap<>();
    node.properties().forEach(member -> texts.put(member.getKey(), member.getValue().asText()));
    return texts;
  }

  private static ProgressUnreadableException unreadable(String place, String why) {
    return new ProgressUnreadableException(
        "Progress at %s was not written by Waybill (%s). Nothing was started; find out who writes to this topic"
            .formatted(place, why));
  }
}
