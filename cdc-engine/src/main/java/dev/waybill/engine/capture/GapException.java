package dev.waybill.engine.capture;

/**
 * The log no longer holds what comes after the stored progress: rows may be missing in Kafka, and
 * going on would hide it. The message names what was found and the remedy.
 */
public final class GapException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public GapException(String message) {
    super(message);
  }

  /**
   * The log is not the one that belongs to a position.
   *
   * @param found what is wrong with it, as the beginning of a sentence
   * @param reached the position, for people
   * @param first what an operator does before the progress is deleted, ending in a comma and a
   *     blank; may be empty
   */
  static GapException behind(String reached, String engine, String found, String first) {
    return new GapException(
        found
            + ", but engine "
            + engine
            + " has come to "
            + reached
            + ": rows committed after that may be missing in Kafka. The engine stops, so that this"
            + " is not hidden. To go on, "
            + first
            + "delete the topic waybill."
            + engine
            + ".progress and start again: the rows that are still in the outbox table are then"
            + " published again under the same event ids, and consumers that guard their effects"
            + " leave out what they have had");
  }
}
