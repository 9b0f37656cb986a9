package dev.waybill.consumer.guard;

import java.util.function.Function;

/** What a guard says about an event. Only {@link Admitted} means that the work was done. */
public sealed interface Verdict {

  <T> T match(
      Function<Admitted, T> admitted,
      Function<Duplicate, T> duplicate,
      Function<Stale, T> stale,
      Function<Gap, T> gap,
      Function<Refused, T> refused);

  /**
   * The event is new.
   *
   * @param passage how it passed the version guard
   */
  record Admitted(Passage passage) implements Verdict {
    @Override
    public <T> T match(
        Function<Admitted, T> admitted,
        Function<Duplicate, T> duplicate,
        Function<Stale, T> stale,
        Function<Gap, T> gap,
        Function<Refused, T> refused) {
      return admitted.apply(this);
    }
  }

  /** The group has handled this event id already. */
  record Duplicate() implements Verdict {
    @Override
    public <T> T match(
        Function<Admitted, T> admitted,
        Function<Duplicate, T> duplicate,
        Function<Stale, T> stale,
        Function<Gap, T> gap,
        Function<Refused, T> refused) {
      return duplicate.apply(this);
    }
  }

  /**
   * The event's version is at or below the last one.
   *
   * @param last the last version that took effect
   */
  record Stale(long last) implements Verdict {
    @Override
    public <T> T match(
        Function<Admitted, T> admitted,
        Function<Duplicate, T> duplicate,
        Function<Stale, T> stale,
        Function<Gap, T> gap,
        Function<Refused, T> refused) {
      return stale.apply(this);
    }
  }

  /**
   * The event's version skips one or more, and the policy does not accept that.
   *
   * @param last the last version that took effect
   * @param policy {@link GapPolicy#PARK} or {@link GapPolicy#FAIL}
   */
  record Gap(long last, GapPolicy policy) implements Verdict {
    @Override
    public <T> T match(
        Function<Admitted, T> admitted,
        Function<Duplicate, T> duplicate,
        Function<Stale, T> stale,
        Function<Gap, T> gap,
        Function<Refused, T> refused) {
      return gap.apply(this);
    }
  }

  /**
   * The event cannot be guarded, now or ever, since a guard's column cannot hold its identity.
   *
   * @param reason a sentence for people that names the field and the limit
   */
  record Refused(String reason) implements Verdict {
    @Override
    public <T> T match(
        Function<Admitted, T> admitted,
        Function<Duplicate, T> duplicate,
        Function<Stale, T> stale,
        Function<Gap, T> gap,
        Function<Refused, T> refused) {
      return refused.apply(this);
    }
  }
}
