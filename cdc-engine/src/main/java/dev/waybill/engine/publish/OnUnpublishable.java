package dev.waybill.engine.publish;

/** What becomes of a row that cannot be published; {@code source.on-unpublishable}. */
public enum OnUnpublishable {
  /** It is set aside in {@code waybill.<engine>.parked}, and the others go on. */
  PARK,

  /** Everything before it is published, then the engine stops and nothing goes past it. */
  STOP;

  /**
   * Reads the configured value.
   *
   * @throws IllegalArgumentException with a message that names the key and the values there are
   */
  public static OnUnpublishable parse(String text) {
    return switch (text) {
      case "park" -> PARK;
      case "stop" -> STOP;
      case "park-aggregate" ->
          throw new IllegalArgumentException(
              "source.on-unpublishable: park-aggregate is not available yet; use park or stop");
      default ->
          throw new IllegalArgumentException(
              "source.on-unpublishable: '" + text + "' is unknown; use park or stop");
    };
  }
}
