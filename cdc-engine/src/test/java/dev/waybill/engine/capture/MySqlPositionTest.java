package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.engine.capture.MySqlPosition.Unfinished;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The stored form is kept by brokers for years: it may grow, but not change. */
class MySqlPositionTest {

  private static final String SERVER = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

  private static final Map<String, String> BETWEEN =
      Map.of(
          "gtids", SERVER + ":1-17",
          "server_uuid", SERVER,
          "file", "binlog.000003",
          "pos", "4294967296",
          "columns.shop.outbox_event", "(`id` bigint NOT NULL, `payload` longtext)");

  @Test
  void a_position_between_transactions() {
    MySqlPosition position = position(null);
    assertThat(position.toMap()).isEqualTo(BETWEEN);
    assertThat(MySqlPosition.parse(BETWEEN)).isEqualTo(position);
  }

  @Test
  void a_position_within_a_transaction() {
    MySqlPosition position = position(new Unfinished(SERVER + ":18", 12, "shop.outbox_event"));
    Map<String, String> stored = new HashMap<>(BETWEEN);
    stored.put("gtid", SERVER + ":18");
    stored.put("ordinal", "12");
    stored.put("tables", "shop.outbox_event");
    assertThat(position.toMap()).isEqualTo(stored);
    assertThat(MySqlPosition.parse(stored)).isEqualTo(position);
  }

  private static MySqlPosition position(@org.jspecify.annotations.Nullable Unfinished unfinished) {
    return new MySqlPosition(
        GtidSet.parse(SERVER + ":1-17"),
        unfinished,
        SERVER,
        new BinlogPlace("binlog.000003", 1L << 32),
        new TreeMap<>(
            Map.of(
                TableName.parse("shop.outbox_event"),
                new MySqlColumns("(`id` bigint NOT NULL, `payload` longtext)"))));
  }

  @Test
  void what_is_no_position_is_refused() {
    for (String missing : List.of("gtids", "server_uuid", "file", "pos")) {
      Map<String, String> stored = new HashMap<>(BETWEEN);
      stored.remove(missing);
      assertThatThrownBy(() -> MySqlPosition.parse(stored))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no " + missing);
    }
    for (Map<String, String> wrong :
        List.of(
            Map.of("gtids", "nonsense"),
            Map.of("file", "nonsense"),
            Map.of("pos", "x"),
            Map.of("gtid", SERVER + ":18"))) {
      Map<String, String> stored = new HashMap<>(BETWEEN);
      stored.putAll(wrong);
      assertThatThrownBy(() -> MySqlPosition.parse(stored))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void files_are_ordered_by_their_numbers() {
    assertThat(new BinlogPlace("binlog.1000000", 4))
        .isGreaterThan(new BinlogPlace("binlog.999999", 5));
    assertThat(new BinlogPlace("binlog.000002", 4)).isLessThan(new BinlogPlace("binlog.000002", 5));
  }
}
