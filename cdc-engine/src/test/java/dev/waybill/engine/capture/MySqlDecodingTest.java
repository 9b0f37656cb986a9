package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was inserted is what comes out: from the log and from a first start's rows alike. */
class MySqlDecodingTest {

  private static List<OutboxRow> readAll(Outbox outbox, String... inserts) throws Exception {
    return BothWays.read(outbox, outbox.source(), inserts);
  }

  private static String insert(String columns, String values) {
    return "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, "
        + columns
        + ") VALUES (uuid(), 'Order', '1', 'E', "
        + values
        + ")";
  }

  @Test
  void all_columns_of_the_native_layout() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      OutboxRow row =
          readAll(
                  outbox,
                  """
                  INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, aggregate_version,
                    event_type, event_version, topic, event_key, payload, headers, occurred_at)
                  VALUES ('e-1', 'Ordér😀', '17', 9007199254740993, 'OrderPaid', 3, 'orders', 'key',
                    '{"a": 1.00, "b":"😀é"}', '{"traceparent": "00-1"}', '2026-03-29 02:30:00.123456')
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
  void texts_of_another_charset_and_unsigned_numbers() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      outbox.execute(
          "ALTER TABLE outbox_event MODIFY aggregate_type VARCHAR(64) CHARACTER SET latin1 NOT NULL,"
              + " MODIFY id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,"
              + " MODIFY event_type ENUM('E','F') NOT NULL");
      List<OutboxRow> rows =
          readAll(
              outbox,
              "INSERT INTO outbox_event (id, event_id, aggregate_type, aggregate_id, event_type, payload)"
                  + " VALUES (18446744073709551614, 'x', 'café', '1', 'F', NULL)");
      assertThat(rows.get(0).id()).isEqualTo("18446744073709551614");
      assertThat(rows.get(0).aggregateType()).isEqualTo("café");
      assertThat(rows.get(0).eventType()).isEqualTo("F");
      assertThat(rows.get(0).payload()).isNull();
    }
  }

  @Test
  void bytes_and_their_absence() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      outbox.execute(
          "ALTER TABLE outbox_event DROP CHECK outbox_event_chk_7, MODIFY payload LONGBLOB");
      List<OutboxRow> rows =
          readAll(outbox, insert("payload", "x'00ff0a'"), insert("payload", "''"));
      assertThat(rows)
          .extracting(OutboxRow::payload)
          .containsExactly(new byte[] {0, -1, 10}, new byte[0]);
      assertThat(rows).extracting(OutboxRow::contentType).containsOnly("application/octet-stream");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"DATETIME", "DATETIME(3)", "DATETIME(6)", "TIMESTAMP NULL", "TIMESTAMP(6) NULL"})
  void c11_times_of_every_kind(String type) throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      outbox.execute("ALTER TABLE outbox_event MODIFY occurred_at " + type);
      List<OutboxRow> rows =
          readAll(
              outbox,
              insert("occurred_at", "'2026-03-29 02:30:00'"),
              insert("occurred_at", "NULL"));
      assertThat(rows)
          .extracting(OutboxRow::occurredAt)
          .containsExactly(Instant.parse("2026-03-29T02:30:00Z"), null);
    }
  }

  @Test
  void defaults_do_not_replace_null() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      outbox.execute(
          "ALTER TABLE outbox_event ALTER topic SET DEFAULT 'x', MODIFY event_version INT DEFAULT 5");
      OutboxRow row = readAll(outbox, insert("topic, event_version", "NULL, NULL")).get(0);
      assertThat(row.topic()).isNull();
      assertThat(row.eventVersion()).isNull();
    }
  }

  /** Keys come in another order, and without blanks; a first start shows the server's own text. */
  @Test
  void c04_the_json_type_does_not_keep_the_text() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      outbox.execute("ALTER TABLE outbox_event DROP CHECK outbox_event_chk_7, MODIFY payload JSON");
      try (Reading reading = Reading.of(outbox, outbox.begin())) {
        outbox.execute(insert("payload", "'{\"b\": 1, \"a\": \"x\"}'"));
        reading.awaitEventIds(1);
        OutboxRow row = reading.handler().changes().get(0).row();
        assertThat(row.payload())
            .isEqualTo("{\"a\":\"x\",\"b\":1}".getBytes(StandardCharsets.UTF_8));
        assertThat(row.contentType()).isEqualTo("application/json");
      }
    }
  }

  @Test
  void the_commit_time_is_the_transactions_own() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      outbox.insert("a");
      try (Reading reading = Reading.of(outbox, outbox.begin())) {
        Instant before =
            Instant.parse(
                outbox
                    .query("SELECT date_format(utc_timestamp(6), '%Y-%m-%dT%H:%i:%s.%fZ')")
                    .get(0));
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
