package dev.waybill.consumer.handle;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an event fared. All but {@link RetryLater} are final: the event is done with and its offset
 * may be committed.
 */
public sealed interface Outcome {

  <T> T match(Cases<T> cases);

  /**
   * One case per outcome.
   *
   * @param <T> what the cases make of it
   */
  interface Cases<T> {
    T handled(Handled outcome);

    T gap(Gap outcome);

    T duplicate(Duplicate outcome);

    T stale(Stale outcome);

    T ignored(Ignored outcome);

    T retryLater(RetryLater outcome);

    T parked(Parked outcome);
  }

  /**
   * It took effect.
   *
   * @param unversioned the version guard had nothing to compare, since the event has no aggregate
   *     version
   */
  record Handled(boolean unversioned) implements Outcome {
    @Override
    public <T> T match(Cases<T> cases) {
      return cases.handled(this);
    }
  }

  /**
   * It took effect although earlier versions of its aggregate are missing, as the policy allows.
   */
  record Gap() implements Outcome {
    @Override
    public <T> T match(Cases<T> cases) {
      return cases.gap(this);
    }
  }

  /** It took effect before. */
  record Duplicate() implements Outcome {
    @Override
    public <T> T match(Cases<T> cases) {
      return cases.duplicate(this);
    }
  }

  /**
   * A later or the same version of its aggregate took effect before, so this one does not.
   *
   * @param last the last version that took effect
   */
  record Stale(long last) implements Outcome {
    @Override
    public <T> T match(Cases<T> cases) {
      return cases.stale(this);
    }
  }

  /** No handler takes its type. */
  record Ignored() implements Outcome {
    @Override
    public <T> T match(Cases<T> cases) {
      return cases.ignored(this);
    }
  }

  /**
   * It did not take effect yet; its partition waits.
   *
   * @param cost whether this counted as an attempt
   * @param delay until the next attempt
   * @param cause what went wrong
   */
  record RetryLater(Cost cost, Duration delay, Throwable cause) implements Outcome {
    @Override
    public <T> T match(Cases<T> cases) {
      return cases.retryLater(this);
    }
  }

  /** Who is to blame for an attempt that failed. */
  enum Cost {
    /** The handler or the event: the retry policy counts. */
    AN_ATTEMPT,
    /** Database or broker: waited for without counting. */
    NOTHING
  }

  /**
   * It is in the park topic, acknowledged by the broker.
   *
   * @param reason why
   * @param sentence why, for people
   * @param cause the last failure, if it was one
   */
  record Parked(ParkReason reason, String sentence, @Nullable Throwable cause) implements Outcome {
    @Override
    public <T> T match(Cases<T> cases) {
      return cases.parked(this);
    }
  }
}
