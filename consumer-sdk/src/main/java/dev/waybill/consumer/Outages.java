package dev.waybill.consumer;

import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Knows what is away, and says so once when it goes and once when it comes back. Thread-safe. */
final class Outages {

  private static final Logger LOG = LoggerFactory.getLogger(EventConsumer.class);

  /** What a consumer cannot do without. */
  enum Need {
    DATABASE("The database is away from", "The database is back for"),
    BROKER("The broker is away from", "The broker is back for"),
    MEMBERSHIP("The broker does not admit us to", "The broker has admitted us to"),
    PARK_TOPIC("The park topic is away from", "The park topic is back for"),
    DECODER("What the decoder needs is away from", "What the decoder needs is back for");

    private final String gone;
    private final String back;

    Need(String gone, String back) {
      this.gone = gone;
      this.back = back;
    }
  }

  private final String group;
  private final StateCell state;
  private final Set<Need> away = EnumSet.noneOf(Need.class);

  Outages(String group, StateCell state) {
    this.group = group;
    this.state = state;
  }

  synchronized void began(Need need, Throwable cause) {
    if (away.add(need)) {
      LOG.warn(
          "{} group {}; what needs it waits, offsets stay. {}",
          need.gone,
          group,
          cause.getMessage(),
          cause);
      show();
    }
  }

  synchronized void ended(Need need) {
    if (away.remove(need)) {
      LOG.info("{} group {}", need.back, group);
      show();
    }
  }

  /** A worker that waited has gone. If another still does, it will begin anew. */
  synchronized void workersLeft() {
    if (away.removeIf(need -> need != Need.BROKER && need != Need.MEMBERSHIP)) {
      show();
    }
  }

  private void show() {
    if (away.contains(Need.MEMBERSHIP)) {
      state.moveTo(ConsumerState.REFUSED);
    } else {
      state.moveTo(away.isEmpty() ? ConsumerState.RUNNING : ConsumerState.WAITING);
    }
  }
}
