package dev.waybill.engine.capture;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Source#inspect()} saw.
 *
 * @param identity what makes this database this one and no other, as stored in progress; equal maps
 *     mean the same database
 * @param published what lets the rows of each table into the log, as stored in progress too; where
 *     a value has changed it was made anew, and rows committed in between were never in the log
 * @param version of the server, for people
 * @param heldLog what already keeps the log for an engine of this name, such as {@code replication
 *     slot waybill_shop}; null before a first start
 * @param warnings what works but should be looked at, one sentence each, with its remedy
 */
public record SourceReport(
    Map<String, String> identity,
    Map<String, String> published,
    String version,
    @Nullable String heldLog,
    List<String> warnings) {

  public SourceReport {
    identity = Map.copyOf(identity);
    published = Map.copyOf(published);
    warnings = List.copyOf(warnings);
  }

  /** What progress is stored with: {@link #identity} and {@link #published}. */
  public Map<String, String> origin() {
    Map<String, String> origin = new HashMap<>(published);
    origin.putAll(identity);
    return Map.copyOf(origin);
  }
}
