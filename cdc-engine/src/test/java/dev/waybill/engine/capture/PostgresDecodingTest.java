package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.engine.capture.SourceConfig.Columns;
import dev.waybill.engine.capture.SourceConfig.Layout;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresDecodingTest extends DecodingContract {

  @Override
  Outbox create() throws SQLException {
    return Outbox.create();
  }

  @Override
  String makePayloadBinary() {
    return "ALTER TABLE outbox_event ALTER payload TYPE bytea USING NULL";
  }

  @Override
  String bytes(String hex) {
    return "'\\x" + hex + "'";
  }

  @Override
  String makeNullableWithDefaults() {
    return "ALTER TABLE outbox_event ALTER payload SET DEFAULT '{\"default\": true}',"
        + " ALTER topic SET DEFAULT 'default', ALTER event_version DROP NOT NULL,"
        + " ALTER occurred_at DROP NOT NULL, ALTER aggregate_version SET DEFAULT 5";
  }

  @Override
  String clock() {
    return "SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')";
  }

  @ParameterizedTest
  @ValueSource(strings = {"int2", "int4", "int8"})
  void a_version_may_be_an_integer_of_any_width(String columnType) throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.execute("ALTER TABLE outbox_event ALTER aggregate_version TYPE " + columnType);
      List<OutboxRow> rows =
          read(
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
          read(
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
      assertThat(rows).extracting(DecodingContract::payload).isEqualTo(texts);
      assertThat(rows).extracting(OutboxRow::aggregateType).containsOnly("Ordér😀");
    }
  }

  @Test
  void c03_jsonb_comes_as_the_server_writes_it() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      outbox.execute("ALTER TABLE outbox_event ALTER payload TYPE jsonb");
      OutboxRow row =
          readOne(
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

  @Test
  void text_that_is_empty_or_blank_or_a_megabyte() throws Exception {
    List<String> texts = List.of("", " ", "x".repeat(1_100_000));
    try (Outbox outbox = Outbox.create()) {
      outbox.execute("ALTER TABLE outbox_event ALTER payload TYPE text");
      List<OutboxRow> rows =
          read(
              outbox,
              outbox.source(),
              texts.stream()
                  .map(text -> insert("payload", Sql.literal(text)))
                  .toArray(String[]::new));
      assertThat(rows).extracting(DecodingContract::payload).isEqualTo(texts);
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
          read(
              outbox,
              outbox.source(),
              insert("occurred_at", "'2026-03-29 02:30:00+00'"),
              insert("occurred_at", "'infinity'"),
              insert("occurred_at", "'-infinity'"));
      assertThat(rows)
          .extracting(OutboxRow::occurredAt)
          .containsExactly(Instant.parse("2026-03-29T02:30:00Z"), null, null);
    }
  }

  @Test
  void times_far_away() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      List<OutboxRow> rows =
          read(
              outbox,
              outbox.source(),
              insert("occurred_at", "'10000-01-01 00:00:00+00'"),
              insert("occurred_at", "'294276-01-01 00:00:00+00'"),
              insert("occurred_at", "'4713-01-01 00:00:00+00 BC'"));
      assertThat(rows)
          .extracting(OutboxRow::occurredAt)
          .containsExactly(
              Instant.parse("+10000-01-01T00:00:00Z"),
              Instant.parse("+294276-01-01T00:00:00Z"),
              Instant.parse("-4712-01-01T00:00:00Z"));
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
          readOne(
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
          readOne(
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
