package dev.waybill.consumer.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How a group tells events that already took effect from those that did not. Immutable.
 *
 * <p>Every guard writes a row of its own in the transaction of the handler: both are committed, or
 * neither is. Which guard to take:
 *
 * <ul>
 *   <li>{@link #inbox()} remembers every event id: any event that comes again is a duplicate.
 *   <li>{@link #aggregateVersion()} remembers the last version of every aggregate: duplicates, late
 *       events and gaps are noticed, with one row per aggregate. Events without a version pass.
 *   <li>both, {@code Guard.inbox().and(Guard.aggregateVersion())}.
 *   <li>{@link #none()} for handlers that may run twice without harm: they set, they do not add.
 * </ul>
 *
 * <p>The tables are in {@code dev/waybill/outbox/consumer/<database>/consumer.sql} of the jar
 * {@code outbox-schema}; they live in the database that the handlers write to.
 */
public final class Guard {

  private final List<Check> checks;

  private Guard(List<Check> checks) {
    this.checks = List.copyOf(checks);
  }

  /** Lets each event id through once per group. */
  public static Guard inbox() {
    return new Guard(List.of(new InboxCheck()));
  }

  /** {@link #aggregateVersion(GapPolicy)} with {@link GapPolicy#PARK}. */
  public static Guard aggregateVersion() {
    return aggregateVersion(GapPolicy.PARK);
  }

  /**
   * Lets the versions of each aggregate through in ascending order. The first one that a group sees
   * is its baseline, whatever its number.
   */
  public static Guard aggregateVersion(GapPolicy gaps) {
    return new Guard(List.of(new VersionCheck(Objects.requireNonNull(gaps, "gaps"))));
  }

  /** Lets everything through, and notices only a transaction that was aborted. */
  public static Guard none() {
    return new Guard(List.of());
  }

  /** An event must pass both. A guard of one kind counts once. */
  public Guard and(Guard other) {
    List<Check> both = new ArrayList<>(checks);
    for (Check check : other.checks) {
      both.removeIf(present -> present.getClass() == check.getClass());
      both.add(check);
    }
    both.sort((a, b) -> Integer.compare(a.order(), b.order()));
    return new Guard(both);
  }

  /** The guard of one group: two groups let each event through once each. */
  public GroupGuard forGroup(String group) {
    return new GroupGuard(group, checks);
  }
}
