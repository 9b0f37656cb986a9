package dev.waybill.engine.settings;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Everything that may be set. Immutable.
 *
 * @param keys in the order in which people should read them
 * @param passThrough prefixes, each ending in a dot, below which every key is handed on as it is;
 *     with a description each
 */
public record Keys(List<Key<?>> keys, Map<String, String> passThrough) {

  public Keys {
    keys = List.copyOf(keys);
    passThrough = Map.copyOf(passThrough);
  }

  boolean isDeclared(String name) {
    return keys.stream().anyMatch(key -> key.name().equals(name)) || isPassedThrough(name);
  }

  boolean isPassedThrough(String name) {
    return passThrough.keySet().stream()
        .anyMatch(prefix -> name.startsWith(prefix) && name.length() > prefix.length());
  }

  /** The first parts of all names: {@code source}, {@code publish} … */
  Set<String> sections() {
    return names().map(name -> name.substring(0, name.indexOf('.'))).collect(Collectors.toSet());
  }

  /** The declared name that is fewest keystrokes away from {@code wrong}. */
  String nearest(String wrong) {
    return names()
        .min(Comparator.comparingInt((String name) -> distance(wrong, name)).thenComparing(n -> n))
        .orElseThrow();
  }

  private Stream<String> names() {
    return Stream.concat(
        keys.stream().map(Key::name), passThrough.keySet().stream().map(prefix -> prefix + "*"));
  }

  private static int distance(String wrong, String right) {
    return right.endsWith("*")
        ? tails(wrong)
            .mapToInt(tail -> Levenshtein.distance(wrong, right.replace("*", tail)))
            .min()
            .orElseThrow()
        : Math.min(Levenshtein.distance(wrong, right), distanceAcrossSections(wrong, right));
  }

  /** All of a name, and what is left of it behind each of its dots. */
  private static Stream<String> tails(String name) {
    return IntStream.range(0, name.length())
        .filter(at -> at == 0 || name.charAt(at - 1) == '.')
        .mapToObj(name::substring);
  }

  /** The right word under the wrong section is nearer than another word. */
  private static int distanceAcrossSections(String wrong, String right) {
    return 2 + 2 * Levenshtein.distance(lastWord(wrong), lastWord(right));
  }

  private static String lastWord(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
