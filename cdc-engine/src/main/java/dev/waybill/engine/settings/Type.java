package dev.waybill.engine.settings;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The values that a key accepts. Immutable.
 *
 * @param expects completes the sentence "… is not …", for example {@code a whole number from 0 to
 *     65535}
 * @param parser throws {@link IllegalArgumentException} for a text that is not accepted; its
 *     message, if there is one, is shown in place of {@code expects}
 */
public record Type<T>(String expects, Function<String, T> parser) {

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9}) ?(ms|s|m|h|d)");

  /** Any text but the empty one. */
  public static Type<String> text() {
    return matching("a text", Pattern.compile(".+", Pattern.DOTALL));
  }

  public static Type<String> matching(String expects, Pattern pattern) {
    return new Type<>(
        expects,
        text -> {
          require(pattern.matcher(text).matches());
          return text;
        });
  }

  public static Type<Integer> integer(int min, int max) {
    Type<Long> number = number(min, max);
    return new Type<>(number.expects(), text -> Math.toIntExact(number.parser().apply(text)));
  }

  public static Type<Long> number(long min, long max) {
    return new Type<>(
        "a whole number from " + min + " to " + max,
        text -> {
          long value = Long.parseLong(text);
          require(value >= min && value <= max);
          return value;
        });
  }

  public static Type<Boolean> bool() {
    return choice(Map.of("true", true, "false", false));
  }

  /** A number and a unit: {@code 500ms}, {@code 10s}, {@code 5m}, {@code 1h}, {@code 7d}. */
  public static Type<Duration> duration(Duration min, Duration max) {
    return new Type<>(
        "a duration from " + print(min) + " to " + print(max) + ", such as 500ms or 10s",
        text -> {
          Duration value = parseDuration(text);
          require(value.compareTo(min) >= 0 && value.compareTo(max) <= 0);
          return value;
        });
  }

  /** One of the names, which are matched exactly. */
  public static <T> Type<T> choice(Map<String, T> values) {
    String names = String.join(" or ", values.keySet().stream().sorted().toList());
    return new Type<>(
        names,
        text -> {
          T value = values.get(text);
          if (value == null) {
            throw new IllegalArgumentException();
          }
          return value;
        });
  }

  /** One of the constants, written in lower case with hyphens. */
  public static <E extends Enum<E>> Type<E> choice(Class<E> constants) {
    return choice(
        Arrays.stream(constants.getEnumConstants())
            .collect(
                Collectors.toMap(
                    constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    UnaryOperator.identity())));
  }

  /** Values separated by commas, at least one. */
  public Type<List<T>> list() {
    return new Type<>(
        expects + ", or several as a list",
        text -> Arrays.stream(text.split(",", -1)).map(String::strip).map(parser).toList());
  }

  /** The same, but for one value that is known and refused, with the reason. */
  public Type<T> refusing(String value, String reason) {
    return new Type<>(
        expects,
        text -> {
          if (text.equals(value)) {
            throw new IllegalArgumentException(reason);
          }
          return parser.apply(text);
        });
  }

  private static Duration parseDuration(String text) {
    Matcher matcher = DURATION.matcher(text);
    require(matcher.matches());
    long count = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      default -> Duration.ofDays(count);
    };
  }

  private static String print(Duration duration) {
    if (duration.toMillis() % 1000 != 0) {
      return duration.toMillis() + "ms";
    }
    return duration.toSeconds() % 60 == 0 ? duration.toMinutes() + "m" : duration.toSeconds() + "s";
  }

  private static void require(boolean accepted) {
    if (!accepted) {
      throw new IllegalArgumentException();
    }
  }
}
