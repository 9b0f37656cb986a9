package dev.waybill.engine;

import static dev.waybill.engine.EngineListener.Point.FIRST_START_OPENED;
import static dev.waybill.engine.EngineListener.Point.FIRST_START_RECORDED;

import dev.waybill.engine.capture.Capture;
import dev.waybill.engine.capture.Change;
import dev.waybill.engine.capture.FirstStart;
import dev.waybill.engine.capture.GapException;
import dev.waybill.engine.capture.Position;
import dev.waybill.engine.capture.SourceMisconfiguredException;
import dev.waybill.engine.capture.SourceReport;
import dev.waybill.engine.capture.SourceUnavailableException;
import dev.waybill.engine.publish.Progress;
import dev.waybill.engine.publish.Progress.Phase;
import dev.waybill.engine.publish.Publisher;
import dev.waybill.engine.route.Router;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of a publisher and a capture, from opening both to the first failure of either. Used
 * once, by the supervisor's thread.
 */
final class Attempt {

  private static final Logger log = LoggerFactory.getLogger(OutboxEngine.class);
  private static final Duration OPENING_LOOK = Duration.ofSeconds(1);

  private final Stages stages;
  private final Journal journal;
  private final RetainedLog retainedLog;

  Attempt(Stages stages, Journal journal, RetainedLog retainedLog) {
    this.stages = stages;
    this.journal = journal;
    this.retainedLog = retainedLog;
  }

  /**
   * Where the log is read from.
   *
   * @param seen of the source when that was found out, or later
   */
  private record Start(Position position, SourceReport seen) {}

  /**
   * Runs until something fails. The broker is asked before the source, so that a source is left
   * alone while nothing could be published.
   */
  void run() throws InterruptedException {
    try (Publisher publisher = stages.broker().open()) {
      Progress progress = publisher.readProgress();
      SourceReport report = inspect(progress);
      journal.inspected(report);
      Continuity.require(engine(), progress, report);
      if (stages.source().takeOver()) {
        progress = publisher.readProgress();
      }
      Position stored = stored(progress);
      Router router = stages.routers().get();
      Start start =
          stored != null
              ? new Start(stored, report)
              : firstStart(progress != null, report, router, publisher);
      Pipeline pipeline = new Pipeline(start.seen().origin(), router, publisher, journal);
      try (Capture capture = open(start.position(), progress, pipeline, publisher)) {
        awaitReading(capture);
        journal.reads();
        awaitEnd(capture, start.seen());
      }
    }
  }

  private String engine() {
    return stages.config().name();
  }

  /** Null before the first start is done. */
  private @Nullable Position stored(@Nullable Progress progress) {
    return progress != null && progress.phase() == Phase.STREAMING
        ? Continuity.position(engine(), progress, stages.source())
        : null;
  }

  private SourceReport inspect(@Nullable Progress progress) {
    Continuity.requireSameDatabase(engine(), progress, stages.source().identity());
    try {
      return stages.source().inspect();
    } catch (SourceMisconfiguredException e) {
      throw stored(progress) == null ? e : Continuity.whileStreaming(engine(), e);
    }
  }

  /**
   * The record comes first: were it the source's log that is kept, a crash right after it would
   * leave one of which nobody could say whether its rows had been published. The source is looked
   * at again once the log is kept, since only now everything that lets rows into it is there.
   */
  private Start firstStart(boolean again, SourceReport report, Router router, Publisher publisher)
      throws InterruptedException {
    journal.firstStart(again);
    new Pipeline(report.origin(), router, publisher, journal).storeInitialising();
    journal.reached(FIRST_START_RECORDED);
    try (FirstStart existing = stages.source().firstStart(stages.config().firstStart())) {
      journal.reached(FIRST_START_OPENED);
      SourceReport seen = stages.source().inspectWhileCapturing();
      Pipeline pipeline = new Pipeline(seen.origin(), router, publisher, journal);
      for (List<Change> rows = existing.next(); !rows.isEmpty(); rows = existing.next()) {
        pipeline.publish(pipeline.route(rows));
        retainedLog.measureIfDue();
      }
      pipeline.storeProgress(existing.position());
      return new Start(existing.position(), seen);
    }
  }

  /**
   * Progress was read before the log is opened. Where another engine of this name works, both may
   * have moved on in between, and that is no gap.
   */
  private Capture open(
      Position start, @Nullable Progress progress, Pipeline pipeline, Publisher publisher)
      throws InterruptedException {
    try {
      return stages.source().capture(start, pipeline.from(start));
    } catch (GapException e) {
      if (Objects.equals(progress, publisher.readProgress())) {
        throw e;
      }
      throw new SourceUnavailableException(
          "another engine of the name " + engine() + " is at work: its progress moves", e);
    }
  }

  /** A capture that hangs while it starts is found by asking for its end. */
  private void awaitReading(Capture capture) throws InterruptedException {
    while (!capture.awaitReading(OPENING_LOOK)) {
      capture.awaitEnd(Duration.ZERO);
    }
  }

  private void awaitEnd(Capture capture, SourceReport seen) throws InterruptedException {
    while (!capture.awaitEnd(retainedLog.untilNext())) {
      if (retainedLog.measureIfDue()) {
        requireAllIsCaptured(seen);
      }
    }
    throw new IllegalStateException("the capture ended without saying why");
  }

  /** Where the server withholds rows, the log reader hears nothing of it. */
  private void requireAllIsCaptured(SourceReport seen) {
    try {
      Continuity.requirePublished(
          engine(), seen.published(), stages.source().inspectWhileCapturing());
    } catch (SourceMisconfiguredException e) {
      throw Continuity.whileStreaming(engine(), e);
    } catch (SourceUnavailableException e) {
      log.debug("Whether engine {} is shown all rows is unknown now", engine(), e);
    }
  }
}
