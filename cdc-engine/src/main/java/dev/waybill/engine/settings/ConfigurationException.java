package dev.waybill.engine.settings;

import java.util.List;

/** The configuration cannot be used. Nothing was started. */
public final class ConfigurationException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  /**
   * @param problems all that were found, each a sentence naming the key, its value and what is
   *     expected
   */
  public ConfigurationException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  public List<String> problems() {
    return problems;
  }
}
