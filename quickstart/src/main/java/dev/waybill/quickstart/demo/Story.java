package dev.waybill.quickstart.demo;

import dev.waybill.quickstart.demo.Books.Standing;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/** Follows the orders in the books, from the first to the last effect. Confined to one thread. */
final class Story {

  private static final long LOOK_MILLIS = 500;

  /** Nothing may change for so long at the end: a repeat that took effect would show. */
  private static final Duration CALM = Duration.ofSeconds(3);

  /** Whoever was killed is back long before. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Duration RATED = Duration.ofSeconds(3);

  private final long orders;
  private final Clock clock;
  private final View view;
  private final PriorityQueue<Turn> turns =
      new PriorityQueue<>(Comparator.comparingLong(Turn::placed));
  private final Deque<Sight> seen = new ArrayDeque<>();
  private Instant changed = Instant.MAX;

  /** Who is shown what. */
  interface View {
    /**
     * Twice a second, while the database can be reached.
     *
     * @param perSecond how much each number has grown in a second lately
     */
    void show(Standing standing, Standing perSecond);
  }

  private record Turn(long placed, Runnable happens) {}

  private record Sight(Instant at, Standing standing) {}

  Story(long orders, Clock clock, View view) {
    this.orders = orders;
    this.clock = clock;
    this.view = view;
  }

  /**
   * Something that happens once, when so many orders have been placed and both services are at
   * work; in any case before the end.
   */
  void turn(long placed, Runnable happens) {
    turns.add(new Turn(placed, happens));
  }

  /**
   * Returns when every order was dealt with by both services and nothing has changed since for a
   * while.
   *
   * @return false if nothing has changed for so long that nothing will
   */
  boolean follow(Books books) throws InterruptedException {
    changed = clock.instant();
    while (true) {
      look(books);
      Duration calm = Duration.between(changed, clock.instant());
      if (calm.compareTo(CALM) > 0 && isComplete()) {
        if (turns.isEmpty()) {
          return true;
        }
        takeTurn();
      }
      if (calm.compareTo(PATIENCE) > 0) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  private void look(Books books) {
    try {
      Standing standing = books.standing();
      see(new Sight(clock.instant(), standing));
      Standing perSecond = perSecond();
      view.show(standing, perSecond);
      if (isTurn(standing.placed()) && perSecond.reserved() > 0 && perSecond.granted() > 0) {
        takeTurn();
      }
    } catch (SQLException e) {
      // The database is being started again: there will be something to see later.
    }
  }

  private boolean isTurn(long placed) {
    return !turns.isEmpty() && turns.element().placed() <= placed;
  }

  private void takeTurn() {
    changed = clock.instant();
    turns.remove().happens().run();
  }

  private void see(Sight sight) {
    if (seen.isEmpty() || !seen.getLast().standing().equals(sight.standing())) {
      changed = sight.at();
    }
    seen.addLast(sight);
    while (seen.getFirst().at().isBefore(sight.at().minus(RATED))) {
      seen.removeFirst();
    }
  }

  private boolean isComplete() {
    if (seen.isEmpty()) {
      return false;
    }
    Standing last = seen.getLast().standing();
    return last.placed() == orders && last.isSettled();
  }

  private Standing perSecond() {
    Standing first = seen.getFirst().standing();
    Standing last = seen.getLast().standing();
    long millis = Duration.between(seen.getFirst().at(), seen.getLast().at()).toMillis();
    return new Standing(
        perSecond(last.placed() - first.placed(), millis),
        perSecond(last.pieces() - first.pieces(), millis),
        perSecond(last.reserved() - first.reserved(), millis),
        perSecond(last.points() - first.points(), millis),
        perSecond(last.granted() - first.granted(), millis));
  }

  private static long perSecond(long growth, long millis) {
    return millis == 0 ? 0 : Math.round(growth * 1000.0 / millis);
  }
}
