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
    DATABASE("The database"),
    BROKER("The broker"),
    PARK_TOPIC("The park topic"),
    DECODER("What the decoder needs");

    private final String name;

    Need(String name) {
      this.name = name;
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
          "{} is away from group {}; what needs it waits, offsets stay. {}",
          need.name,
          group,
          cause.getMessage(),
          cause);
      state.move(ConsumerState.RUNNING, ConsumerState.WAITING);
    }
  }

  synchronized void ended(Need need) {
    if (away.remove(need)) {
      LOG.info("{} is back for group {}", need.name, group);
      runIfNothingIsAway();
    }
  }

  /** A worker that waited has gone. If another still does, it will begin anew. */
  synchronized void workersLeft() {
    if (away.removeIf(need -> need != Need.BROKER)) {
      runIfNothingIsAway();
    }
  }

  private void runIfNothingIsAway() {
    if (away.isEmpty()) {
      state.move(ConsumerState.WAITING, ConsumerState.RUNNING);
    }
  }
}
