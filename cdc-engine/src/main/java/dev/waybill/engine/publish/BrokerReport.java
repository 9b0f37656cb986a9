package dev.waybill.engine.publish;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Broker#inspect()} saw.
 *
 * @param cluster its id, and the brokers in it, for people
 * @param progress how far an engine of this name has come; null if none has started
 * @param notes what will happen at the next start, one sentence each
 */
public record BrokerReport(String cluster, @Nullable Progress progress, List<String> notes) {

  public BrokerReport {
    Objects.requireNonNull(cluster, "cluster");
    notes = List.copyOf(notes);
  }
}
