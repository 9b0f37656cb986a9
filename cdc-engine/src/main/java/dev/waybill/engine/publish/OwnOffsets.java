package dev.waybill.engine.publish;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a topic of the engine's own was deleted and made anew while it is written to: a
 * broker that makes topics does so with settings under which progress loses its order and parked
 * events expire. Offsets then begin again. Costs no request. Acknowledgements come on the
 * producer's thread, the question on the publishing one.
 */
final class OwnOffsets {

  private final Set<String> own;
  private final Map<String, Long> last = new ConcurrentHashMap<>();
  private volatile @Nullable String anew;

  OwnOffsets(String... own) {
    this.own = Set.of(own);
  }

  void acknowledged(String topic, long offset) {
    if (own.contains(topic)) {
      Long before = last.put(topic, offset);
      if (before != null && offset <= before) {
        anew = topic;
      }
    }
  }

  /**
   * @throws BrokerUnavailableException if a topic was made anew: what it held is gone
   */
  void requireAscending() {
    String topic = anew;
    if (topic != null) {
      throw new BrokerUnavailableException(
          "Topic %s was deleted and made anew while the engine ran: what it held is gone. The engine looks at it again before it goes on"
              .formatted(topic),
          null);
    }
  }
}
