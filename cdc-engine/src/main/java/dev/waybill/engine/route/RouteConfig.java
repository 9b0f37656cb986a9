package dev.waybill.engine.route;

import dev.waybill.wire.TopicTemplate;
import java.util.Objects;

/**
 * How changes become records.
 *
 * @param topic where an event goes whose row names no topic; {@link TopicTemplate#DEFAULT}, or
 *     {@link TopicTemplate#DEBEZIUM} for that layout
 * @param headers which headers are written
 * @param source the {@code ce_source} of every event, a URI reference
 */
public record RouteConfig(TopicTemplate topic, HeaderFormat headers, String source) {

  public RouteConfig {
    Objects.requireNonNull(topic, "topic");
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(source, "source");
  }

  /** The {@code ce_source} of an engine that is given none. */
  public static String defaultSource(String engine) {
    return "/waybill/" + engine;
  }
}
