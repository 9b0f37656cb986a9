package dev.waybill.wire;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a topic is made of an event, such as {@code events.{aggregate_type}}. Immutable.
 *
 * @param prefix what stands before the aggregate type
 * @param perAggregateType false if the template is one fixed topic
 * @param suffix what stands behind the aggregate type
 */
public record TopicTemplate(String prefix, boolean perAggregateType, String suffix) {

  private static final String VARIABLE = "{aggregate_type}";

  /** {@code events.{aggregate_type}} */
  public static final TopicTemplate DEFAULT = parse("events.{aggregate_type}");

  /** What Debezium's outbox router does unless told otherwise. */
  public static final TopicTemplate DEBEZIUM = parse("outbox.event.{aggregate_type}");

  public TopicTemplate {
    requireLegal(prefix, perAggregateType, suffix);
  }

  /**
   * Reads a template: legal topic characters and at most one {@code {aggregate_type}}.
   *
   * @throws IllegalArgumentException with a message that names the template and what is wrong
   */
  public static TopicTemplate parse(String template) {
    int at = template.indexOf(VARIABLE);
    return at < 0
        ? new TopicTemplate(template, false, "")
        : new TopicTemplate(
            template.substring(0, at), true, template.substring(at + VARIABLE.length()));
  }

  /**
   * The topic for an aggregate type, not checked: {@link TopicNames#eventProblem} tells whether it
   * is legal.
   */
  public String render(String aggregateType) {
    return perAggregateType ? prefix + aggregateType + suffix : prefix;
  }

  /** The template as it is written in the configuration. */
  @Override
  public String toString() {
    return text(prefix, perAggregateType, suffix);
  }

  private static String text(String prefix, boolean perAggregateType, String suffix) {
    return perAggregateType ? prefix + VARIABLE + suffix : prefix;
  }

  private static void requireLegal(String prefix, boolean perAggregateType, String suffix) {
    String text = text(prefix, perAggregateType, suffix);
    Matcher unknown = Pattern.compile("\\{[^}]*}?").matcher(prefix + suffix);
    if (unknown.find()) {
      throw new IllegalArgumentException(
          "Topic template '%s' contains %s; the one variable is %s, and it may occur once"
              .formatted(text, unknown.group(), VARIABLE));
    }
    String problem = TopicNames.eventProblem(perAggregateType ? prefix + "x" + suffix : prefix);
    if (problem != null) {
      throw new IllegalArgumentException(
          "Topic template '%s' makes no legal topic: it %s".formatted(text, problem));
    }
  }
}
