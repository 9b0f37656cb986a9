package dev.waybill.consumer;

import dev.waybill.consumer.handle.Outcome;
import dev.waybill.consumer.poll.Partition;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls all listeners, whatever each of them throws. Safe for many threads. */
final class Listeners {

  private static final Logger LOG = LoggerFactory.getLogger(EventConsumer.class);

  private final List<ConsumerListener> listeners;

  Listeners(List<ConsumerListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  void outcome(Delivery delivery, Outcome outcome) {
    each(listener -> outcome.match(new Telling(listener, delivery)));
  }

  void stuck(Delivery delivery, Duration running) {
    each(listener -> listener.stuck(delivery, running));
  }

  void assigned(Set<Partition> partitions) {
    each(listener -> listener.assigned(partitions));
  }

  void givenUp(Set<Partition> partitions) {
    each(listener -> listener.givenUp(partitions));
  }

  void stateChanged(ConsumerState from, ConsumerState to) {
    each(listener -> listener.stateChanged(from, to));
  }

  private void each(Consumer<ConsumerListener> call) {
    for (ConsumerListener listener : listeners) {
      try {
        call.accept(listener);
      } catch (Throwable failure) {
        // Also errors, and what Kotlin or Lombok throw past the compiler.
        LOG.warn("Listener {} failed; the consumer goes on", listener, failure);
      }
    }
  }

  private record Telling(ConsumerListener listener, Delivery delivery)
      implements Outcome.Cases<Boolean> {

    @Override
    public Boolean handled(Outcome.Handled outcome) {
      listener.handled(delivery, outcome);
      return true;
    }

    @Override
    public Boolean gap(Outcome.Gap outcome) {
      listener.gap(delivery, outcome);
      return true;
    }

    @Override
    public Boolean duplicate(Outcome.Duplicate outcome) {
      listener.duplicate(delivery, outcome);
      return true;
    }

    @Override
    public Boolean stale(Outcome.Stale outcome) {
      listener.stale(delivery, outcome);
      return true;
    }

    @Override
    public Boolean ignored(Outcome.Ignored outcome) {
      listener.ignored(delivery, outcome);
      return true;
    }

    @Override
    public Boolean retryLater(Outcome.RetryLater outcome) {
      listener.retryLater(delivery, outcome);
      return true;
    }

    @Override
    public Boolean parked(Outcome.Parked outcome) {
      listener.parked(delivery, outcome);
      return true;
    }
  }
}
