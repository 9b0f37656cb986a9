package dev.waybill.consumer.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.consumer.poll.Partition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OffsetLedgerTest {

  private static final Partition A = new Partition("t", 0);
  private static final Partition B = new Partition("t", 1);

  private final OffsetLedger ledger = new OffsetLedger();

  @Test
  void sendsAnOffsetOnce() {
    assertThat(ledger.due(Map.of(A, 5L, B, 1L))).isEqualTo(Map.of(A, 5L, B, 1L));
    assertThat(ledger.due(Map.of(A, 5L, B, 2L))).isEqualTo(Map.of(B, 2L));
  }

  @Test
  void sendsAgainWhatWasForgotten() {
    ledger.due(Map.of(A, 5L, B, 1L));
    ledger.forget(List.of(A));
    assertThat(ledger.due(Map.of(A, 5L, B, 1L))).isEqualTo(Map.of(A, 5L));
  }
}
