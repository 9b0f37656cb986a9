package dev.waybill.engine.capture;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The source is set up in a way that capture cannot work with; an operator has to change it. */
public final class SourceMisconfiguredException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;
  private final transient List<String> withholding;
  private final transient @Nullable String heldLog;

  /**
   * @param problems all that were found, each a sentence with the SQL or the setting that mends it
   */
  public SourceMisconfiguredException(List<String> problems) {
    this(problems, List.of(), null);
  }

  /**
   * @param problems all that were found, each a sentence with the SQL or the setting that mends it
   * @param withholding those of them that let rows be committed which the log never shows
   * @param heldLog as in {@link SourceReport}
   */
  public SourceMisconfiguredException(
      List<String> problems, List<String> withholding, @Nullable String heldLog) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
    this.withholding = List.copyOf(withholding);
    this.heldLog = heldLog;
  }

  public List<String> problems() {
    return problems;
  }

  /** To an engine that reads the log these are a gap: mending them does not bring the rows back. */
  public List<String> withholding() {
    return withholding;
  }

  /** What keeps the log for an engine of this name; null if nothing does. */
  public @Nullable String heldLog() {
    return heldLog;
  }
}
