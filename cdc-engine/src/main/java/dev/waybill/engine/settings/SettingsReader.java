package dev.waybill.engine.settings;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One reading of the declared keys from a YAML text and the environment. Confined to a thread. */
public final class SettingsReader {

  private static final String PREFIX = "WAYBILL_";

  private final Keys keys;
  private final Map<String, String> environment;
  private final Placeholders placeholders;
  private final List<String> problems = new ArrayList<>();
  private final Map<Key<?>, Object> values = new HashMap<>();
  private final Map<String, String> passedThrough = new HashMap<>();

  /**
   * Prepares a reading.
   *
   * @param environment all variables. Those that begin with {@code WAYBILL_} and one of our
   *     sections set keys; any may be named in placeholders.
   */
  public SettingsReader(Keys keys, Map<String, String> environment) {
    this.keys = keys;
    this.environment = Map.copyOf(environment);
    this.placeholders = new Placeholders(this.environment);
  }

  /**
   * Reads everything, and collects what is wrong with it.
   *
   * @param file where the text came from, for messages
   * @throws ConfigurationException if the text cannot be read as YAML
   */
  public Settings read(String file, String yaml) {
    Map<String, Setting> found = new TreeMap<>();
    YamlFile.read(file, yaml).forEach(setting -> addOnce(setting, found));
    environment.forEach((variable, text) -> addVariable(variable, text, found));
    found.values().forEach(this::takeUndeclared);
    keys.keys().forEach(key -> take(key, found.get(key.name())));
    return new Settings(values, passedThrough, problems);
  }

  private void addOnce(Setting setting, Map<String, Setting> found) {
    Setting earlier = found.put(setting.name(), setting);
    if (earlier != null) {
      problems.add(setting.where() + " was set before (" + earlier.origin() + ")");
    }
  }

  /**
   * Variables outside our sections are somebody else's: Kubernetes sets {@code
   * WAYBILL_SERVICE_HOST} in every container beside a service called waybill.
   */
  private void addVariable(String variable, String text, Map<String, Setting> found) {
    if (keys.sections().stream().anyMatch(section -> variable.startsWith(section(section)))) {
      String name = name(variable);
      found.put(name, new Setting(name, text, variable));
    }
  }

  private static String section(String name) {
    return Key.variable(name) + "_";
  }

  /** Kafka's and Debezium's names have dots only, so that theirs can be told from the variable. */
  private String name(String variable) {
    return keys.keys().stream()
        .map(Key::name)
        .filter(name -> Key.variable(name).equals(variable))
        .findFirst()
        .orElseGet(
            () -> variable.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '.'));
  }

  private void takeUndeclared(Setting setting) {
    if (keys.isPassedThrough(setting.name())) {
      fill(setting).ifPresent(text -> passedThrough.put(setting.name(), text));
    } else if (!keys.isDeclared(setting.name())) {
      problems.add(
          setting.where()
              + " is no key of Waybill; the nearest one is "
              + keys.nearest(setting.name()));
    }
  }

  private <T> void take(Key<T> key, @Nullable Setting setting) {
    String defaultText = key.defaultText();
    if (defaultText != null) {
      values.put(key, key.type().parser().apply(defaultText));
    }
    if (setting != null && !setting.text().isEmpty()) {
      fill(setting).ifPresent(text -> parse(key, text, setting));
    } else if (key.isRequired()) {
      problems.add(
          key.name() + " is not set; expected " + key.type().expects() + ": " + key.description());
    }
  }

  private Optional<String> fill(Setting setting) {
    try {
      return Optional.of(placeholders.fill(setting.text()));
    } catch (IllegalArgumentException e) {
      problems.add(setting.where() + " " + e.getMessage());
      return Optional.empty();
    }
  }

  private <T> void parse(Key<T> key, String text, Setting setting) {
    try {
      values.put(key, key.type().parser().apply(text));
    } catch (NumberFormatException e) {
      problems.add(refusal(key, text, setting, null));
    } catch (IllegalArgumentException e) {
      problems.add(refusal(key, text, setting, e.getMessage()));
    }
  }

  private static String refusal(Key<?> key, String text, Setting setting, @Nullable String reason) {
    String why = reason == null ? "expected " + key.type().expects() : reason;
    return setting.where() + " is " + key.show(text) + ": " + why;
  }
}
