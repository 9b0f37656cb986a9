package dev.waybill.engine.route;

import dev.waybill.engine.capture.Change;
import dev.waybill.wire.WireHeader;
import dev.waybill.wire.WireRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What becomes of a change. */
public sealed interface Route {

  Change change();

  /** The change is published as {@code record}. */
  record Publish(Change change, WireRecord record) implements Route {}

  /**
   * The change cannot be published.
   *
   * @param topic where it was meant to go, legal or not; null if that is not known
   * @param key that it would have had; null if it has none
   * @param headers what could be written of it, so that a redrive has little to add
   * @param reason a sentence for people, naming the column and what is wrong with it
   */
  record Park(
      Change change,
      @Nullable String topic,
      byte @Nullable [] key,
      List<WireHeader> headers,
      String reason)
      implements Route {

    public Park {
      headers = List.copyOf(headers);
    }
  }
}
