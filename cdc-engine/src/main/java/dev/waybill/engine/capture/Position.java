package dev.waybill.engine.capture;

import java.util.Map;

/**
 * A place in the source's log: everything before it is in Kafka. Immutable, with value equality.
 */
public interface Position {

  /** The form that is stored in progress, readable by people and by {@link Source#position}. */
  Map<String, String> toMap();
}
