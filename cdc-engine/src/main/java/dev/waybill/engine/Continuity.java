package dev.waybill.engine;

import dev.waybill.engine.capture.GapException;
import dev.waybill.engine.capture.Position;
import dev.waybill.engine.capture.Source;
import dev.waybill.engine.capture.SourceMisconfiguredException;
import dev.waybill.engine.capture.SourceReport;
import dev.waybill.engine.publish.Progress;
import dev.waybill.engine.publish.ProgressUnreadableException;
import dev.waybill.wire.TopicNames;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Whether what Kafka knows of an engine and what the source knows of it are one story. */
final class Continuity {

  private Continuity() {}

  /**
   * Where the log is to be read from.
   *
   * @throws ProgressUnreadableException if the source makes nothing of what was stored
   */
  static Position position(String engine, Progress progress, Source source) {
    try {
      return source.position(progress.position());
    } catch (IllegalArgumentException e) {
      throw new ProgressUnreadableException(
          ("The position in the progress record of engine %s cannot be read (%s). Nothing was"
                  + " started; find out who writes to topic %s, or which version of Waybill did")
              .formatted(engine, e.getMessage(), TopicNames.progress(engine)));
    }
  }

  /**
   * Compares the two before anything is changed on either side. Whether the log still holds what
   * comes after the progress is for the source to say, when it is opened.
   *
   * @throws GapException if progress was lost, or belongs to another database
   */
  static void require(String engine, @Nullable Progress progress, SourceReport report) {
    if (progress == null && report.heldLog() != null) {
      throw new GapException(
          ("Kafka has no progress record of engine %s, but %s exists: an engine of this name has"
                  + " worked before, and how far it came is lost (topic %s deleted, or another"
                  + " broker). The engine stops, so that rows are not left out unnoticed. Connect to"
                  + " the former broker or restore the topic; or drop %s and start again: the rows"
                  + " that are still in the table are then published, under the same event ids, and"
                  + " consumers that guard their effects leave out what they have had.")
              .formatted(engine, report.heldLog(), TopicNames.progress(engine), report.heldLog()));
    }
    requireSameDatabase(engine, progress, report.identity());
    if (progress != null) {
      requirePublished(engine, progress.identity(), report);
    }
  }

  /**
   * Asked first, since what is wrong with another database is nothing to mend.
   *
   * @throws GapException if progress belongs to another database
   */
  static void requireSameDatabase(
      String engine, @Nullable Progress progress, Map<String, String> identity) {
    if (progress != null && !progress.identity().entrySet().containsAll(identity.entrySet())) {
      throw new GapException(
          ("The progress record of engine %s was written for another database: for %s, and this one"
                  + " is %s. Positions mean nothing across databases, and what was committed in"
                  + " between is unknown. The engine stops. Connect to the former database; or delete"
                  + " the topic %s and start again: the rows that are in the table are then"
                  + " published, and it goes on from there.")
              .formatted(engine, progress.identity(), identity, TopicNames.progress(engine)));
    }
  }

  /**
   * Compares what lets the rows into the log. What only one of the two knows says nothing: a table
   * that was added or taken out, or a record from before this was remembered.
   *
   * @throws GapException if some of it was made anew
   */
  static void requirePublished(String engine, Map<String, String> before, SourceReport report) {
    Map<String, String> anew = new TreeMap<>(report.published());
    anew.entrySet()
        .removeIf(e -> e.getValue().equals(before.getOrDefault(e.getKey(), e.getValue())));
    if (!anew.isEmpty()) {
      throw new GapException(
          ("What lets the rows of the outbox table into the log was made anew (the table, its"
                      + " publication, or its place there) since engine %s last looked: %s, of what"
                      + " was %s. ")
                  .formatted(engine, anew, new TreeMap<>(before))
              + remedy(engine, report.heldLog()));
    }
  }

  /** What a problem of the source means to an engine that has read the log. */
  static RuntimeException whileStreaming(String engine, SourceMisconfiguredException e) {
    return e.withholding().isEmpty()
        ? e
        : new GapException(
            "Rows may be committed now that the log never shows engine %s: %s. "
                    .formatted(engine, String.join("; ", e.withholding()))
                + remedy(engine, e.heldLog()));
  }

  private static String remedy(String engine, @Nullable String heldLog) {
    return "Rows committed meanwhile cannot be read from the log and may be missing in Kafka. The"
        + " engine stops, so that this is not hidden. To go on, mend that, "
        + (heldLog == null ? "" : "drop " + heldLog + ", ")
        + "delete the topic "
        + TopicNames.progress(engine)
        + " and start again: the rows that are still in the outbox table are then published again"
        + " under the same event ids, and consumers that guard their effects leave out what they"
        + " have had";
  }
}
