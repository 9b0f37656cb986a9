package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.engine.capture.MySqlPosition.Unfinished;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MySqlTrackerTest {

  private static final String SERVER = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final TableName OUTBOX = TableName.parse("shop.outbox_event");
  private static final MySqlColumns OLD = new MySqlColumns("(`id` bigint NOT NULL)");
  private static final MySqlColumns NEW = new MySqlColumns("(`id` int NOT NULL)");

  private static MySqlPosition at(
      String numbers, @Nullable Unfinished unfinished, MySqlColumns columns) {
    return new MySqlPosition(
        GtidSet.parse(SERVER + ":" + numbers),
        unfinished,
        SERVER,
        new BinlogPlace("binlog.000001", 4),
        new TreeMap<>(Map.of(OUTBOX, columns)));
  }

  private static MySqlPosition at(String numbers) {
    return at(numbers, null, OLD);
  }

  private static Unfinished rows(int number, int ordinal) {
    return new Unfinished(SERVER + ":" + number, ordinal, OUTBOX.toString());
  }

  private static MySqlTracker from(MySqlPosition start) {
    return new MySqlTracker(start, List.of(OUTBOX));
  }

  private static void complete(MySqlTracker tracker, String numbers) {
    tracker.complete(GtidSet.parse(SERVER + ":" + numbers), new BinlogPlace("binlog.000001", 4));
  }

  private static boolean row(MySqlTracker tracker, int number) {
    return tracker.row(SERVER + ":" + number);
  }

  @Test
  void rows_are_counted_within_their_transaction() {
    MySqlTracker tracker = from(at("1-10"));
    assertThat(row(tracker, 11)).isTrue();
    assertThat(row(tracker, 11)).isTrue();
    assertThat(tracker.position()).isEqualTo(at("1-10", rows(11, 2), OLD));
    complete(tracker, "1-11");
    assertThat(tracker.position()).isEqualTo(at("1-11"));
  }

  @Test
  void rows_that_the_start_covers_are_left_out() {
    MySqlTracker tracker = from(at("1-10", rows(11, 2), OLD));
    complete(tracker, "1-10");
    assertThat(row(tracker, 11)).isFalse();
    assertThat(tracker.position()).isEqualTo(at("1-10", rows(11, 2), OLD));
    assertThat(row(tracker, 11)).isFalse();
    assertThat(row(tracker, 11)).isTrue();
    assertThat(tracker.position()).isEqualTo(at("1-10", rows(11, 3), OLD));
  }

  /** From there the rest of the transaction would never be sent again. */
  @Test
  void a_row_of_a_transaction_that_is_taken_for_complete_is_refused() {
    MySqlTracker tracker = from(at("1-10"));
    row(tracker, 11);
    complete(tracker, "1-11");
    assertThatThrownBy(() -> row(tracker, 11))
        .isInstanceOf(SourceUnavailableException.class)
        .hasMessageContaining(SERVER + ":11 again");
    assertThatThrownBy(() -> tracker.columns(SERVER + ":11", OUTBOX, NEW))
        .isInstanceOf(SourceUnavailableException.class);
  }

  @Test
  void what_was_complete_stays_so() {
    MySqlTracker tracker = from(at("1-10"));
    assertThatThrownBy(() -> complete(tracker, "1-9"))
        .isInstanceOf(SourceUnavailableException.class);
  }

  /** Else the statement would be applied twice after a restart. */
  @Test
  void columns_change_with_the_transaction_that_changes_them() {
    MySqlTracker tracker = from(at("1-10"));
    tracker.columns(SERVER + ":11", OUTBOX, NEW);
    assertThat(tracker.position()).isEqualTo(at("1-10"));
    complete(tracker, "1-11");
    assertThat(tracker.position()).isEqualTo(at("1-11", null, NEW));
    tracker.columns(SERVER + ":12", OUTBOX, null);
    complete(tracker, "1-12");
    assertThat(tracker.position().columns()).isEmpty();
  }
}
