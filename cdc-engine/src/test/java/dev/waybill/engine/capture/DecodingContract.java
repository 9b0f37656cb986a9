package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.waybill.engine.capture.FirstStart.Rows;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What was inserted is what comes out: from the log and from a first start's rows alike. */
abstract class DecodingContract {

  abstract Outbox create() throws SQLException;

  /** Gives the payload a type for bytes. */
  abstract String makePayloadBinary();

  /** A literal of bytes. */
  abstract String bytes(String hex);

  /** Lets topic, versions and times be NULL, and gives those that may have one a default. */
  abstract String makeNullableWithDefaults();

  /** A query of the server's clock, as {@link Instant#parse} reads it. */
  abstract String clock();

  static String insert(String columns, String values) {
    return "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, "
        + columns
        + ") VALUES ('"
        + UUID.randomUUID()
        + "', 'Order', '1', 'E', "
        + values
        + ")";
  }

  /** One row per statement, as both ways show them. */
  static List<OutboxRow> read(Outbox outbox, Source source, String... inserts) throws Exception {
    List<OutboxRow> fromLog;
    try (FirstStart start = source.firstStart(Rows.NONE)) {
      outbox.execute(inserts);
      RecordingHandler handler = new RecordingHandler(start.position());
      try (Reading reading = new Reading(source.capture(start.position(), handler), handler)) {
        reading.awaitEventIds(inserts.length);
        fromLog = handler.changes().stream().map(Change::row).toList();
      }
    }
    try (FirstStart start = source.firstStart(Rows.EXISTING)) {
      List<OutboxRow> fromRows = start.next().stream().map(Change::row).toList();
      assertThat(fromRows).usingRecursiveComparison().isEqualTo(fromLog);
    }
    return fromLog;
  }

  static List<OutboxRow> read(Outbox outbox, String... inserts) throws Exception {
    return read(outbox, outbox.source(), inserts);
  }

  static OutboxRow readOne(Outbox outbox, Source source, String insert) throws Exception {
    return read(outbox, source, insert).get(0);
  }

  static @Nullable String payload(OutboxRow row) {
    byte[] payload = row.payload();
    return payload == null ? null : new String(payload, StandardCharsets.UTF_8);
  }

  @Test
  void all_columns_of_the_native_layout() throws Exception {
    try (Outbox outbox = create()) {
      OutboxRow row =
          read(
                  outbox,
                  """
                  INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, aggregate_version,
                    event_type, event_version, topic, event_key, payload, headers, occurred_at)
                  VALUES ('e-1', 'Ordér😀', '17', 9007199254740993, 'OrderPaid', 3, 'orders', 'key',
                    '{"a": 1.00, "b":"😀é"}', '{"traceparent": "00-1"}',
                    '2026-03-29 02:30:00.123456+00:00')
                  """)
              .get(0);
      assertThat(row)
          .usingRecursiveComparison()
          .isEqualTo(
              new OutboxRow(
                  "1",
                  "e-1",
                  "Ordér😀",
                  "17",
                  9_007_199_254_740_993L,
                  "OrderPaid",
                  3,
                  "orders",
                  "key",
                  "{\"a\": 1.00, \"b\":\"😀é\"}".getBytes(StandardCharsets.UTF_8),
                  "application/json",
                  "{\"traceparent\": \"00-1\"}",
                  Instant.parse("2026-03-29T02:30:00.123456Z")));
    }
  }

  @Test
  void bytes_and_their_absence() throws Exception {
    try (Outbox outbox = create()) {
      outbox.execute(makePayloadBinary());
      List<OutboxRow> rows =
          read(outbox, insert("payload", bytes("00ff0a")), insert("payload", "''"));
      assertThat(rows)
          .extracting(OutboxRow::payload)
          .containsExactly(new byte[] {0, -1, 10}, new byte[0]);
      assertThat(rows).extracting(OutboxRow::contentType).containsOnly("application/octet-stream");
    }
  }

  /** NULL is not the column's default, which Debezium would put in its place. */
  @Test
  void c07_null_stays_null() throws Exception {
    try (Outbox outbox = create()) {
      outbox.execute(makeNullableWithDefaults());
      OutboxRow row =
          read(
                  outbox,
                  insert(
                      "aggregate_version, event_version, topic, payload, occurred_at",
                      "NULL, NULL, NULL, NULL, NULL"))
              .get(0);
      assertThat(row.payload()).isNull();
      assertThat(row.topic()).isNull();
      assertThat(row.eventVersion()).isNull();
      assertThat(row.aggregateVersion()).isNull();
      assertThat(row.occurredAt()).isNull();
    }
  }

  @Test
  void the_commit_time_is_the_transactions_own() throws Exception {
    try (Outbox outbox = create()) {
      outbox.insert("a");
      try (Reading reading = Reading.of(outbox, outbox.begin())) {
        Instant before = Instant.parse(outbox.query(clock()).get(0));
        outbox.insert("b", "c");
        reading.awaitEventIds(2);
        List<Change> changes = reading.handler().changes();
        assertThat(changes.get(0).committedAt())
            .isEqualTo(changes.get(1).committedAt())
            .isAfterOrEqualTo(before)
            .isCloseTo(before, within(1, ChronoUnit.MINUTES));
      }
    }
  }
}
