package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MySqlDecodingTest extends DecodingContract {

  @Override
  Outbox create() throws SQLException {
    return Outbox.mysql();
  }

  @Override
  String makePayloadBinary() {
    return "ALTER TABLE outbox_event DROP CHECK outbox_event_chk_7, MODIFY payload LONGBLOB";
  }

  @Override
  String bytes(String hex) {
    return "x'" + hex + "'";
  }

  @Override
  String makeNullableWithDefaults() {
    return "ALTER TABLE outbox_event ALTER topic SET DEFAULT 'x', MODIFY event_version INT DEFAULT 5,"
        + " ALTER aggregate_version SET DEFAULT 5, MODIFY occurred_at DATETIME(6) NULL";
  }

  @Override
  String clock() {
    return "SELECT date_format(utc_timestamp(6), '%Y-%m-%dT%H:%i:%s.%fZ')";
  }

  @Test
  void texts_of_another_charset_and_unsigned_numbers() throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      outbox.execute(
          "ALTER TABLE outbox_event MODIFY aggregate_type VARCHAR(64) CHARACTER SET latin1 NOT NULL,"
              + " MODIFY id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,"
              + " MODIFY event_type ENUM('E','F') NOT NULL");
      List<OutboxRow> rows =
          read(
              outbox,
              "INSERT INTO outbox_event (id, event_id, aggregate_type, aggregate_id, event_type, payload)"
                  + " VALUES (18446744073709551614, 'x', 'café', '1', 'F', NULL)");
      assertThat(rows.get(0).id()).isEqualTo("18446744073709551614");
      assertThat(rows.get(0).aggregateType()).isEqualTo("café");
      assertThat(rows.get(0).eventType()).isEqualTo("F");
      assertThat(rows.get(0).payload()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"DATETIME", "DATETIME(3)", "DATETIME(6)", "TIMESTAMP NULL", "TIMESTAMP(6) NULL"})
  void c11_times_of_every_kind(String type) throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      outbox.execute("ALTER TABLE outbox_event MODIFY occurred_at " + type);
      List<OutboxRow> rows =
          read(
              outbox,
              insert("occurred_at", "'2026-03-29 02:30:00'"),
              insert("occurred_at", "NULL"));
      assertThat(rows)
          .extracting(OutboxRow::occurredAt)
          .containsExactly(Instant.parse("2026-03-29T02:30:00Z"), null);
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
}
