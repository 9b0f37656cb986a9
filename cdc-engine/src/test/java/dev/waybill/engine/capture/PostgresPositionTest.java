package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.engine.capture.PostgresPosition.Unfinished;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The stored form is kept by brokers for years: it may grow, but not change. */
class PostgresPositionTest {

  @Test
  void a_position_between_transactions() {
    PostgresPosition position = PostgresPosition.at(0x1_016B_3748L);
    assertThat(position.toMap()).isEqualTo(Map.of("lsn", "1/16B3748"));
    assertThat(PostgresPosition.parse(position.toMap())).isEqualTo(position);
  }

  @Test
  void a_position_within_a_transaction() {
    PostgresPosition position =
        new PostgresPosition(0x16B_3748L, new Unfinished(4_294_967_295L, 12, "public.a,public.b"));
    assertThat(position.toMap())
        .isEqualTo(
            Map.of(
                "lsn",
                "0/16B3748",
                "xid",
                "4294967295",
                "ordinal",
                "12",
                "tables",
                "public.a,public.b"));
    assertThat(PostgresPosition.parse(position.toMap())).isEqualTo(position);
  }

  @Test
  void what_is_no_position_is_refused() {
    for (Map<String, String> stored :
        java.util.List.of(
            Map.<String, String>of(),
            Map.of("lsn", "nonsense"),
            Map.of("lsn", "0/0"),
            Map.of("lsn", "0/1", "xid", "7"),
            Map.of("lsn", "0/1", "xid", "7", "ordinal", "1"),
            Map.of("lsn", "0/1", "xid", "7", "ordinal", "x", "tables", "public.a"))) {
      assertThatThrownBy(() -> PostgresPosition.parse(stored))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
