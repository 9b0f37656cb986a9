package dev.waybill.engine;

import dev.waybill.engine.Diagnosis.Finding;
import dev.waybill.engine.Diagnosis.Kind;
import dev.waybill.engine.capture.GapException;
import dev.waybill.engine.capture.Source;
import dev.waybill.engine.capture.SourceMisconfiguredException;
import dev.waybill.engine.capture.SourceReport;
import dev.waybill.engine.capture.SourceUnavailableException;
import dev.waybill.engine.publish.Broker;
import dev.waybill.engine.publish.BrokerReport;
import dev.waybill.engine.publish.BrokerUnavailableException;
import dev.waybill.engine.publish.Progress;
import dev.waybill.engine.publish.ProgressUnreadableException;
import dev.waybill.engine.publish.PublishObserver;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks at source and broker before an engine is started, and changes nothing. */
public final class Doctor {

  private final EngineConfig config;
  private final List<Finding> findings = new ArrayList<>();

  private Doctor(EngineConfig config) {
    this.config = config;
  }

  /** Everything that can be found out now, the good things too; takes seconds at most. */
  public static Diagnosis examine(EngineConfig config) throws InterruptedException {
    return new Doctor(config).examine();
  }

  private Diagnosis examine() throws InterruptedException {
    Source source = Source.open(config.source(), Clock.systemUTC());
    SourceReport sourceReport = inspect(source);
    BrokerReport brokerReport = inspectBroker();
    if (isReached("source") && brokerReport != null) {
      compare(source, sourceReport, brokerReport.progress());
    }
    return new Diagnosis(findings);
  }

  private @Nullable SourceReport inspect(Source source) {
    try {
      SourceReport report = source.inspect();
      add(Kind.FINE, "source", report.version() + " at " + config.source().login().place());
      report.warnings().forEach(warning -> add(Kind.WARNING, "source", warning));
      return report;
    } catch (SourceMisconfiguredException e) {
      e.problems().forEach(problem -> add(Kind.PROBLEM, "source", problem));
    } catch (SourceUnavailableException e) {
      add(Kind.UNREACHABLE, "source", String.valueOf(e.getMessage()));
    }
    return null;
  }

  private @Nullable BrokerReport inspectBroker() throws InterruptedException {
    try {
      BrokerReport report = broker().inspect();
      add(Kind.FINE, "broker", report.cluster());
      report.notes().forEach(note -> add(Kind.FINE, "broker", note));
      return report;
    } catch (ProgressUnreadableException e) {
      add(Kind.PROBLEM, "broker", String.valueOf(e.getMessage()));
    } catch (BrokerUnavailableException e) {
      add(Kind.UNREACHABLE, "broker", String.valueOf(e.getMessage()));
    }
    return null;
  }

  private Broker broker() {
    return new Broker(config.publish(), new PublishObserver() {}, Clock.systemUTC());
  }

  private boolean isReached(String subject) {
    return findings.stream()
        .noneMatch(f -> f.kind() == Kind.UNREACHABLE && f.subject().equals(subject));
  }

  /** Another database is a gap, whatever else is wrong with it. */
  private void compare(
      Source source, @Nullable SourceReport sourceReport, @Nullable Progress progress)
      throws InterruptedException {
    try {
      Continuity.requireSameDatabase(config.name(), progress, source.identity());
      if (sourceReport == null) {
        return;
      }
      Continuity.require(config.name(), progress, sourceReport);
      if (progress == null || progress.phase() == Progress.Phase.INITIALISING) {
        add(Kind.FINE, "engine", config.name() + " has not finished a first start");
      } else {
        requireLog(source, progress);
        add(Kind.FINE, "engine", config.name() + " has come to " + progress.position());
      }
    } catch (SourceMisconfiguredException e) {
      if (sourceReport != null) { // otherwise the inspection has said so
        e.problems().forEach(problem -> add(Kind.PROBLEM, "source", problem));
      }
    } catch (ProgressUnreadableException e) {
      add(Kind.PROBLEM, "engine", String.valueOf(e.getMessage()));
    } catch (GapException e) {
      add(Kind.GAP, "engine", String.valueOf(e.getMessage()));
    } catch (SourceUnavailableException e) {
      add(Kind.UNREACHABLE, "source", String.valueOf(e.getMessage()));
    } catch (BrokerUnavailableException e) {
      add(Kind.UNREACHABLE, "broker", String.valueOf(e.getMessage()));
    }
  }

  /** An engine at work moves both on, while we look at one after the other: that is no gap. */
  private void requireLog(Source source, Progress progress) throws InterruptedException {
    try {
      source.requireLog(Continuity.position(config.name(), progress, source));
    } catch (GapException e) {
      if (progress.equals(broker().inspect().progress())) {
        throw e;
      }
    }
  }

  private void add(Kind kind, String subject, String text) {
    findings.add(new Finding(kind, subject, text));
  }
}
