package dev.waybill.engine.publish;

import java.util.Map;
import java.util.Objects;

/**
 * How far an engine has come: the only state it keeps, the newest record of the compacted topic
 * {@code waybill.<engine>.progress}.
 *
 * @param phase what is true at this point
 * @param identity of the database that the position belongs to, and of what let its rows into the
 *     log; the source's affair
 * @param position in that database's log: everything before it is in Kafka; empty while
 *     initialising
 */
public record Progress(Phase phase, Map<String, String> identity, Map<String, String> position) {

  /** The life of an engine's name. */
  public enum Phase {
    /** A first start has begun: rows of the snapshot may be in Kafka, the log has no place yet. */
    INITIALISING,
    /** The first start is done: everything before the position is in Kafka. */
    STREAMING
  }

  public Progress {
    Objects.requireNonNull(phase, "phase");
    identity = Map.copyOf(identity);
    position = Map.copyOf(position);
  }
}
