package dev.waybill.engine;

import java.util.List;
import java.util.Objects;

/** What {@link Doctor} found, in the order in which it looked. */
public record Diagnosis(List<Finding> findings) {

  public Diagnosis {
    findings = List.copyOf(findings);
  }

  public boolean has(Kind kind) {
    return findings.stream().anyMatch(finding -> finding.kind() == kind);
  }

  /** How bad a finding is. */
  public enum Kind {
    /** As it should be. */
    FINE,
    /** The engine would work; an operator should look at it all the same. */
    WARNING,
    /** The engine would not start. */
    PROBLEM,
    /** Rows may be missing in Kafka; the engine would stop. */
    GAP,
    /** It could not be looked at. */
    UNREACHABLE
  }

  /**
   * One thing.
   *
   * @param subject {@code source}, {@code broker} or {@code engine}
   * @param text a sentence for people, with the SQL or the setting that mends it
   */
  public record Finding(Kind kind, String subject, String text) {

    public Finding {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(subject, "subject");
      Objects.requireNonNull(text, "text");
    }
  }
}
