package dev.waybill.engine.capture;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Source#inspect()} saw.
 *
 * @param identity what makes this database this one and no other, as stored in progress; equal maps
 *     mean the same database
 * @param version of the server, for people
 * @param heldLog what already keeps the log for an engine of this name, such as {@code replication
 *     slot waybill_shop}; null before a first start
 * @param warnings what works but should be looked at, one sentence each, with its remedy
 */
public record SourceReport(
    Map<String, String> identity, String version, @Nullable String heldLog, List<String> warnings) {

  public SourceReport {
    identity = Map.copyOf(identity);
    warnings = List.copyOf(warnings);
  }
}
