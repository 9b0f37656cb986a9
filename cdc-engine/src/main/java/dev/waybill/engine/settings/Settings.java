package dev.waybill.engine.settings;

import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Collectors;

/** Values that have been read. Immutable. */
public final class Settings {

  private final Map<Key<?>, Object> values;
  private final Map<String, String> passedThrough;
  private final List<String> problems;

  Settings(Map<Key<?>, Object> values, Map<String, String> passedThrough, List<String> problems) {
    this.values = Map.copyOf(values);
    this.passedThrough = Map.copyOf(passedThrough);
    this.problems = List.copyOf(problems);
  }

  /** Everything that is wrong, each a sentence naming the key and its value. */
  public List<String> problems() {
    return problems;
  }

  /**
   * The value of a key; its default where what was set is wrong.
   *
   * @throws NoSuchElementException if the key is required and was not set rightly, which {@link
   *     #problems()} tells, or if it is optional and was not set
   */
  public <T> T get(Key<T> key) {
    return find(key).orElseThrow(() -> new NoSuchElementException(key.name()));
  }

  /** The value of a key as {@link #get} returns it; empty where that would throw. */
  @SuppressWarnings("unchecked") // the reader puts what the key's own type has parsed
  public <T> Optional<T> find(Key<T> key) {
    return Optional.ofNullable((T) values.get(key));
  }

  /** What was set below a prefix that is passed through, the prefix taken off. */
  public Map<String, String> below(String prefix) {
    return passedThrough.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(prefix))
        .collect(
            Collectors.toUnmodifiableMap(
                entry -> entry.getKey().substring(prefix.length()), Map.Entry::getValue));
  }
}
