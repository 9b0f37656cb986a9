package dev.waybill.engine;

import dev.waybill.engine.capture.GapException;
import dev.waybill.engine.capture.Position;
import dev.waybill.engine.capture.Source;
import dev.waybill.engine.capture.SourceReport;
import dev.waybill.engine.publish.Progress;
import dev.waybill.engine.publish.ProgressUnreadableException;
import dev.waybill.wire.TopicNames;
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
                  + " the former broker or restore the topic; or drop the slot and start again: the"
                  + " rows that are still in the table are then published, under the same event ids,"
                  + " and consumers that guard their effects leave out what they have had.")
              .formatted(engine, report.heldLog(), TopicNames.progress(engine)));
    }
    if (progress != null && !progress.identity().equals(report.identity())) {
      throw new GapException(
          ("The progress record of engine %s was written for another database: for %s, and this one"
                  + " is %s. Positions mean nothing across databases, and what was committed in"
                  + " between is unknown. The engine stops. Connect to the former database; or delete"
                  + " the topic %s and start again: the rows that are in the table are then"
                  + " published, and it goes on from there.")
              .formatted(
                  engine, progress.identity(), report.identity(), TopicNames.progress(engine)));
    }
  }
}
