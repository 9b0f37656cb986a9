package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.waybill.engine.capture.SourceConfig.Columns;
import dev.waybill.engine.capture.SourceConfig.Layout;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was inserted is what comes out: from the log and from a first start's rows alike. */
class PostgresDecodingTest {

  private static OutboxRow read(Outbox outbox, Source source, String insert) throws Exception {
    return BothWays.read(outbox, source, insert).get(0);
  }

  private static @Nullable String payload(OutboxRow row) {
    byte[] payload = row.payload();
    return payload == null ? null : new String(payload, StandardCharsets.UTF_8);
  }

  @Test
  void all_columns_of_the_native_layout() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      OutboxRow row =
          read(
              outbox,
              outbox.source(),
              """
              INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, aggregate_version,
                event_type, event_version, topic, event_key, payload, headers, occurred_at)
              VALUES ('e-1', 'Order', '17', 9007199254740993, 'OrderPaid', 3, 'orders', 'key',
                '{"a": 1}', '{"traceparent": "00-1"}', '2026-03-29 02:30:00.123456+00')
              """);
      assertThat(row)
          .usingRecursiveComparison()
          .isEqualTo(
              new OutboxRow(
                  "1",
                  "e-1",
                  "Order",
                  "17",
                  9_007_199_254_740_993L,
                  "OrderPaid",
                  3,
                  "orders",
                  "key",
                  "{\"a\": 1}".getBytes(StandardCharsets.UTF_8),
                  "application/json",
                  "{\"traceparent\": \"00-1\"}",
                  Instant.parse("2026-03-29T02:30:00.123456Z")));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"int2", "int4", "int8"})
  void a_version_may_be_an_integer_of_any_width(String columnType) throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.execute("ALTER TABLE outbox_event ALTER aggregate_version TYPE " + columnType);
      List<OutboxRow> rows =
          BothWays.read(
              outbox,
              outbox.source(),
              """
              INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, aggregate_version,
                event_type, event_version) VALUES ('a', 'Order', '1', 7, 'E', 2)
              """,
              """
              INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type)
              VALUES ('b', 'Order', '2', 'E')
              """);
      assertThat(rows).extracting(OutboxRow::aggregateVersion).containsExactly(7L, null);
      assertThat(rows.get(0).eventVersion()).isEqualTo(2);
    }
  }

  /** Without its payload a row would look like the end of an aggregate. */
  @Test
  void a_column_that_was_renamed_ends_the_capture_before_its_rows() throws Exception {
    try (Outbox outbox = Outbox.create();
        Reading reading = Reading.of(outbox, outbox.begin())) {
      outbox.insert("a");
      reading.awaitEventIds(1);
      outbox.execute(
          "ALTER TABLE outbox_event RENAME payload TO body",
          """
          INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, body)
          VALUES ('b', 'Order', '1', 'OrderPaid', '{}')
          """);
      assertThatThrownBy(() -> reading.capture().awaitEnd(Reading.PATIENCE))
          .isInstanceOf(SourceMisconfiguredException.class)
          .hasMessageContaining("without column payload")
          .hasMessageContaining("body")
          .hasMessageContaining("source.columns.payload");
      assertThat(reading.handler().eventIds()).containsExactly("a");
      Columns renamed = new Columns(Layout.NATIVE, Map.of("payload", "body"));
      RecordingHandler handler = new RecordingHandler(reading.position());
      try (Reading second =
          new Reading(outbox.sourceWith(renamed).capture(reading.position(), handler), handler)) {
        second.awaitEventIds(1);
        assertThat(handler.changes())
            .extracting(change -> payload(change.row()))
            .containsExactly("{}");
      }
    }
  }

  @Test
  void c03_c05_c06_json_keeps_its_text() throws Exception {
    List<String> texts =
        List.of(
            "{\"b\":1,\"a\":12345678901234567890123,\"a\":2.50,\"c\":1e3,\"d\":1.10,\"f\":-0.0}",
            "{\"price\":199.00,\"u\":18446744073709551616,\"tiny\":1e-7}",
            "{\"tags\":[], \"a\":[[],[1]],  \"n\":null}",
            "  {\"leading\": \"blanks\"}\n",
            "\"😀é'\\\"\\\\\\u0000 ünïcödé \uD83D\uDE00\"",
            "{}",
            "null",
            "\"text\"");
    try (Outbox outbox = Outbox.create()) {
      List<OutboxRow> rows =
          BothWays.read(
              outbox,
              outbox.source(),
              texts.stream()
                  .map(
                      text ->
                          "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id,"
                              + " event_type, payload) VALUES (gen_random_uuid(), 'Ordér😀', '1',"
                              + " 'E', "
                              + Sql.literal(text)
                              + ")")
                  .toArray(String[]::new));
      assertThat(rows).extracting(PostgresDecodingTest::payload).isEqualTo(texts);
      assertThat(rows).extracting(OutboxRow::aggregateType).containsOnly("Ordér😀");
    }
  }

  @Test
  void c03_jsonb_comes_as_the_server_writes_it() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.execute("ALTER TABLE outbox_event ALTER payload TYPE jsonb");
      OutboxRow row =
          read(
              outbox,
              outbox.source(),
              """
              INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)
              VALUES ('e', 'Order', '1', 'E',
                '{"b":1,"a":12345678901234567890123,"a":2.50,"c":1e3,"d":1.10,"f":-0.0}')
              """);
      assertThat(payload(row))
          .isEqualTo("{\"a\": 2.50, \"b\": 1, \"c\": 1000, \"d\": 1.10, \"f\": 0.0}");
    }
  }

  /** NULL is not the column's default, which Debezium would put in its place. */
  @Test
  void c07_null_stays_null() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.execute(
          "ALTER TABLE outbox_event ALTER payload SET DEFAULT '{\"default\": true}',"
              + " ALTER topic SET DEFAULT 'default', ALTER event_version DROP NOT NULL,"
              + " ALTER occurred_at DROP NOT NULL, ALTER aggregate_version SET DEFAULT 5");
      OutboxRow row =
          read(
              outbox,
              outbox.source(),
              """
              INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, aggregate_version,
                event_type, event_version, topic, payload, occurred_at)
              VALUES ('e', 'Order', '1', NULL, 'E', NULL, NULL, NULL, NULL)
              """);
      assertThat(row.payload()).isNull();
      assertThat(row.topic()).isNull();
      assertThat(row.eventVersion()).isNull();
      assertThat(row.aggregateVersion()).isNull();
      assertThat(row.occurredAt()).isNull();
    }
  }

  @Test
  void bytes_and_their_absence() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.execute("ALTER TABLE outbox_event ALTER payload TYPE bytea USING NULL");
      List<OutboxRow> rows =
          BothWays.read(outbox, outbox.source(), insertPayload("\\x00ff0a"), insertPayload(""));
      assertThat(rows)
          .extracting(OutboxRow::payload)
          .containsExactly(new byte[] {0, -1, 10}, new byte[0]);
      assertThat(rows).extracting(OutboxRow::contentType).containsOnly("application/octet-stream");
    }
  }

  private static String insertPayload(String payload) {
    return "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)"
        + " VALUES (gen_random_uuid(), 'Order', '1', 'E', "
        + Sql.literal(payload)
        + ")";
  }

  @Test
  void text_that_is_empty_or_blank_or_a_megabyte() throws Exception {
    List<String> texts = List.of("", " ", "x".repeat(1_100_000));
    try (Outbox outbox = Outbox.create()) {
      outbox.execute("ALTER TABLE outbox_event ALTER payload TYPE text");
      List<OutboxRow> rows =
          BothWays.read(
              outbox,
              outbox.source(),
              texts.stream().map(PostgresDecodingTest::insertPayload).toArray(String[]::new));
      assertThat(rows).extracting(PostgresDecodingTest::payload).isEqualTo(texts);
      assertThat(rows).extracting(OutboxRow::contentType).containsOnly("text/plain; charset=utf-8");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "timestamptz",
        "timestamptz(3)",
        "timestamptz(0)",
        "timestamp",
        "timestamp(3)",
        "timestamp(0)"
      })
  void c11_times_of_every_kind(String type) throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.execute(
          "ALTER TABLE outbox_event ALTER occurred_at DROP NOT NULL,"
              + " ALTER occurred_at DROP DEFAULT, ALTER occurred_at TYPE "
              + type);
      List<OutboxRow> rows =
          BothWays.read(
              outbox,
              outbox.source(),
              insertAt("2026-03-29 02:30:00+00"),
              insertAt("infinity"),
              insertAt("-infinity"));
      assertThat(rows)
          .extracting(OutboxRow::occurredAt)
          .containsExactly(Instant.parse("2026-03-29T02:30:00Z"), null, null);
    }
  }

  private static String insertAt(String time) {
    return "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, occurred_at)"
        + " VALUES (gen_random_uuid(), 'Order', '1', 'E', '"
        + time
        + "')";
  }

  @Test
  void times_far_away() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      List<OutboxRow> rows =
          BothWays.read(
              outbox,
              outbox.source(),
              insertAt("10000-01-01 00:00:00+00"),
              insertAt("294276-01-01 00:00:00+00"),
              insertAt("4713-01-01 00:00:00+00 BC"));
      assertThat(rows)
          .extracting(OutboxRow::occurredAt)
          .containsExactly(
              Instant.parse("+10000-01-01T00:00:00Z"),
              Instant.parse("+294276-01-01T00:00:00Z"),
              Instant.parse("-4712-01-01T00:00:00Z"));
    }
  }

  @Test
  void the_commit_time_is_the_transactions_own() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.insert("a");
      try (Reading reading = Reading.of(outbox, outbox.begin())) {
        Instant before =
            Instant.parse(
                outbox
                    .query(
                        "SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")
                    .get(0));
        outbox.insert("b", "c");
        reading.awaitEventIds(2);
        List<Change> changes = reading.handler().changes();
        assertThat(changes.get(0).committedAt())
            .isEqualTo(changes.get(1).committedAt())
            .isAfterOrEqualTo(before)
            .isCloseTo(before, within(10, ChronoUnit.SECONDS));
      }
    }
  }

  @Test
  void the_table_of_debeziums_outbox_router() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.execute(
          "DROP TABLE outbox_event",
          """
          CREATE TABLE outbox_event (
            id uuid NOT NULL PRIMARY KEY, aggregatetype varchar(255) NOT NULL,
            aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, payload jsonb, version int)
          """,
          "GRANT SELECT ON outbox_event TO waybill_capture",
          "ALTER PUBLICATION " + outbox.slot() + " SET TABLE outbox_event");
      Source source =
          outbox.sourceWith(new Columns(Layout.DEBEZIUM, Map.of("event_version", "version")));
      source.inspect();
      OutboxRow row =
          read(
              outbox,
              source,
              """
              INSERT INTO outbox_event VALUES ('406c07f3-26f0-4eea-a50c-109940064b8f', 'Order', '1',
                'OrderCreated', '{"id": 1}', 2)
              """);
      assertThat(row)
          .usingRecursiveComparison()
          .isEqualTo(
              new OutboxRow(
                  "406c07f3-26f0-4eea-a50c-109940064b8f",
                  "406c07f3-26f0-4eea-a50c-109940064b8f",
                  "Order",
                  "1",
                  null,
                  "OrderCreated",
                  2,
                  null,
                  null,
                  "{\"id\": 1}".getBytes(StandardCharsets.UTF_8),
                  "application/json",
                  null,
                  null));
    }
  }

  @Test
  void column_names_and_types_that_are_odd() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.execute(
          "CREATE TYPE kind AS ENUM ('Order', 'Invoice')",
          "CREATE DOMAIN short AS varchar(20)",
          "ALTER TABLE outbox_event RENAME payload TO \"Pay \"\"Load\"\".1\"",
          "ALTER TABLE outbox_event ALTER aggregate_type TYPE kind USING 'Order'::kind,"
              + " ALTER aggregate_id TYPE uuid USING NULL, ALTER event_type TYPE short");
      Source source =
          outbox.sourceWith(new Columns(Layout.NATIVE, Map.of("payload", "Pay \"Load\".1")));
      source.inspect();
      OutboxRow row =
          read(
              outbox,
              source,
              """
              INSERT INTO outbox_event
                (event_id, aggregate_type, aggregate_id, event_type, "Pay ""Load"".1")
              VALUES ('e', 'Invoice', '406c07f3-26f0-4eea-a50c-109940064b8f', 'Short', '{"p": 1}')
              """);
      assertThat(row.aggregateType()).isEqualTo("Invoice");
      assertThat(row.aggregateId()).isEqualTo("406c07f3-26f0-4eea-a50c-109940064b8f");
      assertThat(row.eventType()).isEqualTo("Short");
      assertThat(payload(row)).isEqualTo("{\"p\": 1}");
    }
  }
}
