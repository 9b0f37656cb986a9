package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.capture.PostgresPosition.Unfinished;
import java.util.List;
import org.junit.jupiter.api.Test;

class PositionTrackerTest {

  private static final TableName OUTBOX = TableName.parse("public.outbox_event");
  private static final TableName OTHER = TableName.parse("public.another");

  private static PostgresPosition inside(long lsn, long xid, long ordinal) {
    return new PostgresPosition(lsn, new Unfinished(xid, ordinal, OUTBOX.toString()));
  }

  private static PositionTracker from(PostgresPosition start) {
    return new PositionTracker(start, List.of(OUTBOX));
  }

  @Test
  void rows_are_counted_within_their_transaction() {
    PositionTracker tracker = from(PostgresPosition.at(100));
    assertThat(tracker.row(7)).isTrue();
    assertThat(tracker.row(7)).isTrue();
    assertThat(tracker.position()).isEqualTo(inside(100, 7, 2));
  }

  @Test
  void the_end_of_a_transaction_moves_the_position_behind_it() {
    PositionTracker tracker = from(PostgresPosition.at(100));
    tracker.row(7);
    tracker.complete(200);
    assertThat(tracker.position()).isEqualTo(PostgresPosition.at(200));
  }

  /** A heartbeat repeats the end that was seen last. */
  @Test
  void a_heartbeat_within_a_transaction_moves_nothing() {
    PositionTracker tracker = from(PostgresPosition.at(100));
    tracker.row(7);
    tracker.complete(100);
    assertThat(tracker.position()).isEqualTo(inside(100, 7, 1));
  }

  @Test
  void a_heartbeat_between_transactions_moves_the_position() {
    PositionTracker tracker = from(PostgresPosition.at(100));
    tracker.complete(150);
    assertThat(tracker.position()).isEqualTo(PostgresPosition.at(150));
  }

  @Test
  void the_position_never_moves_back() {
    PositionTracker tracker = from(PostgresPosition.at(100));
    tracker.complete(50);
    assertThat(tracker.position()).isEqualTo(PostgresPosition.at(100));
  }

  @Test
  void rows_that_the_start_covers_are_left_out_and_the_position_waits_for_the_others() {
    PositionTracker tracker = from(inside(100, 7, 2));
    assertThat(tracker.position()).isEqualTo(inside(100, 7, 2));
    assertThat(tracker.row(7)).isFalse();
    assertThat(tracker.position()).isEqualTo(inside(100, 7, 2));
    assertThat(tracker.row(7)).isFalse();
    assertThat(tracker.row(7)).isTrue();
    assertThat(tracker.position()).isEqualTo(inside(100, 7, 3));
    tracker.complete(200);
    assertThat(tracker.row(8)).isTrue();
    assertThat(tracker.position()).isEqualTo(inside(200, 8, 1));
  }

  @Test
  void a_heartbeat_before_the_unfinished_transaction_keeps_what_is_known_of_it() {
    PositionTracker tracker = from(inside(100, 7, 2));
    tracker.complete(150);
    assertThat(tracker.position()).isEqualTo(inside(150, 7, 2));
    assertThat(tracker.row(7)).isFalse();
  }

  @Test
  void another_transaction_than_the_unfinished_one_is_published_whole() {
    PositionTracker tracker = from(inside(100, 7, 2));
    assertThat(tracker.row(8)).isTrue();
    assertThat(tracker.position()).isEqualTo(inside(100, 8, 1));
  }

  @Test
  void the_number_of_a_transaction_may_be_used_again() {
    PositionTracker tracker = from(inside(100, 7, 1));
    assertThat(tracker.row(7)).isFalse();
    tracker.complete(200);
    assertThat(tracker.row(7)).isTrue();
  }

  @Test
  void rows_are_left_out_only_if_those_of_the_same_tables_were_counted() {
    PositionTracker more = new PositionTracker(inside(100, 7, 2), List.of(OUTBOX, OTHER));
    assertThat(more.position()).isEqualTo(PostgresPosition.at(100));
    assertThat(more.row(7)).isTrue();
    PostgresPosition both = more.position();

    PositionTracker fewer = from(both);
    assertThat(fewer.row(7)).isTrue();

    PositionTracker same = new PositionTracker(both, List.of(OTHER, OUTBOX));
    assertThat(same.row(7)).isFalse();
    assertThat(same.row(7)).isTrue();
  }

  @Test
  void the_log_may_be_longer_than_a_signed_number_counts() {
    PositionTracker tracker = from(PostgresPosition.at(Long.MAX_VALUE));
    tracker.complete(Long.MIN_VALUE);
    assertThat(tracker.position()).isEqualTo(PostgresPosition.at(Long.MIN_VALUE));
  }
}
