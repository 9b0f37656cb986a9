package dev.waybill.engine.capture;

import java.util.List;

/** The source is set up in a way that capture cannot work with; an operator has to change it. */
public final class SourceMisconfiguredException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  /**
   * @param problems all that were found, each a sentence with the SQL or the setting that mends it
   */
  public SourceMisconfiguredException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  public List<String> problems() {
    return problems;
  }
}
