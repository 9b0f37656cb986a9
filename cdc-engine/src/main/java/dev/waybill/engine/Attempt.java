package dev.waybill.engine;

import static dev.waybill.engine.EngineListener.Point.FIRST_START_OPENED;
import static dev.waybill.engine.EngineListener.Point.FIRST_START_RECORDED;

import dev.waybill.engine.capture.Capture;
import dev.waybill.engine.capture.Change;
import dev.waybill.engine.capture.FirstStart;
import dev.waybill.engine.capture.Position;
import dev.waybill.engine.capture.SourceReport;
import dev.waybill.engine.publish.Progress;
import dev.waybill.engine.publish.Progress.Phase;
import dev.waybill.engine.publish.Publisher;
import dev.waybill.engine.route.Router;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One life of a publisher and a capture, from opening both to the first failure of either. Used
 * once, by the supervisor's thread.
 */
final class Attempt {

  private final Stages stages;
  private final Journal journal;
  private final RetainedLog retainedLog;

  Attempt(Stages stages, Journal journal, RetainedLog retainedLog) {
    this.stages = stages;
    this.journal = journal;
    this.retainedLog = retainedLog;
  }

  /**
   * Runs until something fails. The broker is asked before the source, so that a source is left
   * alone while nothing could be published.
   */
  void run() throws InterruptedException {
    try (Publisher publisher = stages.broker().open()) {
      Progress progress = publisher.readProgress();
      SourceReport report = stages.source().inspect();
      journal.inspected(report);
      Continuity.require(stages.config().name(), progress, report);
      Router router = stages.routers().get();
      Pipeline pipeline = new Pipeline(report.identity(), router, publisher, journal);
      Position start = position(progress, pipeline);
      try (Capture capture = stages.source().capture(start, pipeline.from(start))) {
        journal.captureOpened();
        awaitEnd(capture);
      }
    }
  }

  private Position position(@Nullable Progress progress, Pipeline pipeline)
      throws InterruptedException {
    return progress != null && progress.phase() == Phase.STREAMING
        ? Continuity.position(stages.config().name(), progress, stages.source())
        : firstStart(progress != null, pipeline);
  }

  /**
   * The record comes first: were it the slot, a crash right after it would leave a slot of which
   * nobody could say whether its rows had been published.
   */
  private Position firstStart(boolean again, Pipeline pipeline) throws InterruptedException {
    journal.firstStart(again);
    pipeline.storeInitialising();
    journal.reached(FIRST_START_RECORDED);
    try (FirstStart existing = stages.source().firstStart(stages.config().firstStart())) {
      journal.reached(FIRST_START_OPENED);
      for (List<Change> rows = existing.next(); !rows.isEmpty(); rows = existing.next()) {
        pipeline.publish(pipeline.route(rows));
      }
      pipeline.storeProgress(existing.position());
      return existing.position();
    }
  }

  private void awaitEnd(Capture capture) throws InterruptedException {
    while (!capture.awaitEnd(retainedLog.untilNext())) {
      retainedLog.measureIfDue();
    }
    throw new IllegalStateException("the capture ended without saying why");
  }
}
