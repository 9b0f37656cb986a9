package dev.waybill.engine.route;

import dev.waybill.wire.EventEncoder;
import dev.waybill.wire.HeaderNames;

/** Which headers tell what an event is; {@code publish.headers}. */
public enum HeaderFormat {
  /** CloudEvents 1.0, binary mode: {@code ce_id}, {@code ce_type} … */
  CLOUDEVENTS {
    @Override
    EventEncoder encoder(String source) {
      return EventEncoder.cloudEvents(source);
    }

    @Override
    boolean isReserved(String name) {
      return HeaderNames.isReserved(name);
    }

    @Override
    boolean requiresType() {
      return true;
    }
  },

  /** Those of Debezium's outbox router: {@code id} and {@code eventType}. */
  DEBEZIUM {
    @Override
    EventEncoder encoder(String source) {
      return EventEncoder.debezium();
    }

    @Override
    boolean isReserved(String name) {
      return HeaderNames.isReserved(name)
          || name.equals(HeaderNames.DEBEZIUM_ID)
          || name.equals(HeaderNames.DEBEZIUM_EVENT_TYPE);
    }

    @Override
    boolean requiresType() {
      return false;
    }
  };

  abstract EventEncoder encoder(String source);

  /** Whether a row must not bring this header, since it would say who the event is. */
  abstract boolean isReserved(String name);

  /** Whether there is no event without a type. */
  abstract boolean requiresType();
}
