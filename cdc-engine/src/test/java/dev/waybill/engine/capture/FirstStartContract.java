package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.engine.capture.FirstStart.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rows that were there before the log's starting point, and the log from there. */
abstract class FirstStartContract {

  abstract Outbox create() throws SQLException;

  static List<Change> readAll(FirstStart start) {
    List<Change> changes = new ArrayList<>();
    for (List<Change> next = start.next(); !next.isEmpty(); next = start.next()) {
      changes.addAll(next);
    }
    return changes;
  }

  static List<String> eventIds(List<Change> changes) {
    return changes.stream().flatMap(change -> Stream.ofNullable(change.row().eventId())).toList();
  }

  @Test
  void rows_come_per_aggregate_by_version_else_by_id() throws Exception {
    try (Outbox outbox = create()) {
      outbox.execute(
          """
          INSERT INTO outbox_event
            (event_id, aggregate_type, aggregate_id, aggregate_version, event_type) VALUES
            ('a2', 'Order', 'A', 2, 'E'), ('b1', 'Order', 'B', NULL, 'E'),
            ('a1', 'Order', 'A', 1, 'E'), ('b2', 'Order', 'B', NULL, 'E'),
            ('a0', 'Order', 'A', NULL, 'E'), ('i1', 'Invoice', 'A', 7, 'E')
          """);
      try (FirstStart start = outbox.source().firstStart(Rows.EXISTING)) {
        assertThat(eventIds(readAll(start))).containsExactly("i1", "a0", "a1", "a2", "b1", "b2");
      }
    }
  }

  /** Four writers go on writing meanwhile: each row is on one side of the boundary. */
  @Test
  void rows_and_log_neither_overlap_nor_leave_a_gap() throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(4);
    AtomicBoolean stop = new AtomicBoolean();
    try (Outbox outbox = create()) {
      List<Future<Integer>> written =
          IntStream.range(0, 4)
              .mapToObj(writer -> writers.submit(() -> write(outbox, writer, stop)))
              .toList();
      await()
          .atMost(Reading.PATIENCE)
          .until(() -> !outbox.query("SELECT 1 FROM outbox_event LIMIT 1 OFFSET 200").isEmpty());
      Source source = outbox.source();
      List<String> seen;
      try (FirstStart start = source.firstStart(Rows.EXISTING)) {
        seen = new ArrayList<>(eventIds(readAll(start)));
        assertThat(seen).hasSizeGreaterThan(200);
        stop.set(true);
        int total = 0;
        for (Future<Integer> rows : written) {
          total += rows.get();
        }
        outbox.insert("last");
        int fromLog = total + 1 - seen.size();
        assertThat(fromLog).as("rows written after the boundary").isGreaterThan(1);
        try (Reading reading = Reading.of(source, start.position())) {
          seen.addAll(reading.awaitEventIds(fromLog));
        }
      }
      assertThat(seen)
          .doesNotHaveDuplicates()
          .containsExactlyInAnyOrderElementsOf(outbox.query("SELECT event_id FROM outbox_event"));
    } finally {
      stop.set(true);
      writers.shutdownNow();
    }
  }

  /** Transactions of three rows, some of them open for a while. */
  private static int write(Outbox outbox, int writer, AtomicBoolean stop) throws Exception {
    try (Connection connection = outbox.connect()) {
      connection.setAutoCommit(false);
      int rows = 0;
      while (!stop.get()) {
        for (int i = 0; i < 3; i++) {
          Outbox.insert(connection, writer + "-" + rows++);
        }
        connection.commit();
      }
      return rows;
    }
  }

  @Test
  void existing_rows_may_be_left_out() throws Exception {
    try (Outbox outbox = create()) {
      outbox.insert("before");
      try (FirstStart start = outbox.source().firstStart(Rows.NONE)) {
        assertThat(start.next()).isEmpty();
        outbox.insert("after");
        try (Reading reading = Reading.of(outbox, start.position())) {
          assertThat(reading.awaitEventIds(1)).containsExactly("after");
        }
      }
    }
  }

  @Test
  void rows_of_several_tables_come_table_by_table() throws Exception {
    try (Outbox outbox = create()) {
      TableName second = outbox.addTable("second_outbox");
      outbox.execute(
          "INSERT INTO second_outbox (event_id, aggregate_type, aggregate_id, event_type)"
              + " VALUES ('second', 'Order', '1', 'E')");
      outbox.insert("first");
      Source source = outbox.sourceOf(outbox.table(), second);
      source.inspect();
      try (FirstStart start = source.firstStart(Rows.EXISTING)) {
        assertThat(readAll(start))
            .extracting(Change::table)
            .containsExactly(outbox.table().toString(), second.toString());
      }
    }
  }

  @Test
  void a_lost_connection_is_unavailable() throws Exception {
    try (Outbox outbox = create()) {
      for (int i = 0; i < 3; i++) {
        outbox.insert(
            IntStream.range(i * 500, i * 500 + 500)
                .mapToObj(Integer::toString)
                .toArray(String[]::new));
      }
      // More than lies in buffers on the way.
      outbox.execute(
          "UPDATE outbox_event SET payload = CAST(concat('\"', repeat('x', 20000), '\"') AS json)");
      try (FirstStart start = outbox.source().firstStart(Rows.EXISTING)) {
        assertThat(start.next()).isNotEmpty();
        outbox.endConnections();
        assertThatThrownBy(() -> readAll(start)).isInstanceOf(SourceUnavailableException.class);
      }
    }
  }
}
