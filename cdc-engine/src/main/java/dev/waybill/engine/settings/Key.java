package dev.waybill.engine.settings;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One value that may be set. Immutable, equal by identity.
 *
 * @param <T> what its text is read as
 */
public final class Key<T> {

  /** Whether there is a value when nobody sets one. */
  enum Need {
    REQUIRED,
    OPTIONAL,
    DEFAULTED
  }

  private final String name;
  private final Type<T> type;
  private final Need need;
  private final String defaultText;
  private final boolean secret;
  private final String description;

  private Key(
      String name, Type<T> type, Need need, String defaultText, boolean secret, String text) {
    this.name = Objects.requireNonNull(name, "name");
    this.type = Objects.requireNonNull(type, "type");
    this.need = need;
    this.defaultText = defaultText;
    this.secret = secret;
    this.description = text;
  }

  /** A key that has to be set. */
  public static <T> Key<T> required(String name, Type<T> type, String description) {
    return new Key<>(name, type, Need.REQUIRED, "", false, description);
  }

  /** A key that is left alone by most. */
  public static <T> Key<T> optional(String name, Type<T> type, String description) {
    return new Key<>(name, type, Need.OPTIONAL, "", false, description);
  }

  /** A key that has this value when nobody sets it. */
  public static <T> Key<T> of(String name, Type<T> type, String defaultText, String description) {
    return new Key<>(name, type, Need.DEFAULTED, defaultText, false, description);
  }

  /** The same key, whose value is never shown. */
  public Key<T> secret() {
    return new Key<>(name, type, need, defaultText, true, description);
  }

  public String name() {
    return name;
  }

  /** The name of the environment variable that sets it. */
  public String variable() {
    return variable(name);
  }

  public String description() {
    return description;
  }

  /** What its values are, for people. */
  public String expects() {
    return type.expects();
  }

  public boolean isRequired() {
    return need == Need.REQUIRED;
  }

  /** As it would be written; null where there is none. */
  public @Nullable String defaultText() {
    return need == Need.DEFAULTED ? defaultText : null;
  }

  Type<T> type() {
    return type;
  }

  /** The value as it may be shown to people. */
  String show(String text) {
    return secret ? "(not shown)" : "\"" + text + "\"";
  }

  static String variable(String name) {
    return "WAYBILL_" + name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
  }
}
