package dev.waybill.event;

import java.util.List;

/** An event that the database would refuse, or the engine could not publish. */
public final class InvalidEventException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  InvalidEventException(String event, List<String> problems) {
    super("Event %s cannot be appended: %s".formatted(event, String.join("; ", problems)));
    this.problems = List.copyOf(problems);
  }

  /** One sentence for each, beginning with the name of the column. */
  public List<String> problems() {
    return problems;
  }
}
