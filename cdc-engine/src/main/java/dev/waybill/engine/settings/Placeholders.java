package dev.waybill.engine.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts variables and files into values: one pass, so that what was put in stays as it is. */
final class Placeholders {

  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\$\\{(?:file:(?<path>[^}]+)|(?<name>[A-Za-z0-9_]+)(?::(?<or>[^}]*))?)}");

  private final Map<String, String> environment;

  Placeholders(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * @throws IllegalArgumentException naming the variable that is not set or the file that cannot be
   *     read
   */
  String fill(String value) {
    return PLACEHOLDER.matcher(value).replaceAll(match -> Matcher.quoteReplacement(find(match)));
  }

  private String find(MatchResult match) {
    // JDK 17's MatchResult knows groups by number only: 1 path, 2 name, 3 default.
    return match.group(1) != null ? content(match.group(1)) : variable(match);
  }

  private String variable(MatchResult match) {
    String value = environment.get(match.group(2));
    if (value == null) {
      value = match.group(3);
    }
    if (value == null) {
      throw new IllegalArgumentException(
          "uses ${" + match.group(2) + "}, but no environment variable of that name is set");
    }
    return value;
  }

  private static String content(String path) {
    try {
      return Files.readString(Path.of(path)).replaceFirst("\\R\\z", "");
    } catch (IOException | InvalidPathException e) {
      throw new IllegalArgumentException("uses a file that cannot be read: " + e, e);
    }
  }
}
