package dev.waybill.event;

import org.jspecify.annotations.Nullable;

/**
 * What an event may look like, so that the outbox table takes it and Kafka carries it. Lengths are
 * in code points, as databases count them.
 *
 * <p>The methods that look for a problem return the end of a sentence that begins with the name of
 * the field, or null if nothing is wrong.
 */
public final class EventRules {

  public static final int MAX_EVENT_ID = 64;
  public static final int MAX_AGGREGATE_TYPE = 64;
  public static final int MAX_AGGREGATE_ID = 255;
  public static final int MAX_EVENT_TYPE = 128;
  public static final int MAX_KEY = 255;

  /** Kafka's limit. */
  public static final int MAX_TOPIC = 249;

  private static final String WAYBILLS_OWN = "waybill.";
  private static final String KAFKAS_OWN = "__";

  private static final int SHOWN = 80;

  private EventRules() {}

  /** A text that must be there, fit its column, and survive the way to the database and back. */
  public static @Nullable String textProblem(String text, int max) {
    if (text.isEmpty()) {
      return "is empty";
    }
    int length = text.codePointCount(0, text.length());
    if (length > max) {
      return "has " + length + " characters, at most " + max + " are possible";
    }
    return characterProblem(text);
  }

  /**
   * Characters that do not survive: PostgreSQL refuses U+0000, and half of a surrogate pair would
   * silently become a question mark.
   */
  public static @Nullable String characterProblem(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        return "contains the character U+0000 at index " + i;
      }
      if (Character.isSurrogate(c)) {
        if (!isPairAt(text, i)) {
          return "contains half of a surrogate pair at index " + i;
        }
        i++;
      }
    }
    return null;
  }

  static boolean isPairAt(String text, int i) {
    return i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
  }

  /** Kafka's rule for topics: {@code [a-zA-Z0-9._-]{1,249}}, but not "." and "..". */
  public static @Nullable String topicProblem(String topic) {
    if (topic.isEmpty()) {
      return "is empty";
    }
    if (topic.length() > MAX_TOPIC) {
      return "has " + topic.length() + " characters, a topic at most " + MAX_TOPIC;
    }
    if (topic.equals(".") || topic.equals("..")) {
      return "is '" + topic + "', which no topic may be called";
    }
    return topicCharacterProblem(topic);
  }

  /**
   * A topic that an event may go to: Waybill's own topics are left to Waybill, Kafka's to Kafka.
   */
  public static @Nullable String eventTopicProblem(String topic) {
    if (topic.startsWith(WAYBILLS_OWN)) {
      return ownTopicProblem(topic, WAYBILLS_OWN, "Waybill's");
    }
    return topic.startsWith(KAFKAS_OWN)
        ? ownTopicProblem(topic, KAFKAS_OWN, "Kafka's")
        : topicProblem(topic);
  }

  private static String ownTopicProblem(String topic, String prefix, String whose) {
    return "'%s' begins with '%s', as only %s own topics do"
        .formatted(shortened(topic), prefix, whose);
  }

  static @Nullable String topicCharacterProblem(String topic) {
    for (int i = 0; i < topic.length(); i++) {
      if (!isTopicCharacter(topic.charAt(i))) {
        return "'%s' contains %s, a topic only a-z A-Z 0-9 . _ -"
            .formatted(shortened(topic), character(topic.codePointAt(i)));
      }
    }
    return null;
  }

  private static boolean isTopicCharacter(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '_'
        || c == '-';
  }

  /** Whether only Waybill may write this header of a record: {@code ce_*} and the content type. */
  public static boolean isReservedHeader(String name) {
    return name.startsWith("ce_") || name.equals("content-type");
  }

  static String character(int codePoint) {
    return codePoint > ' ' && codePoint < 0x7f
        ? "'" + Character.toString(codePoint) + "'"
        : "U+%04X".formatted(codePoint);
  }

  static String shortened(@Nullable String text) {
    if (text == null) {
      return "null";
    }
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }
}
