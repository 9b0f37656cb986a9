package dev.waybill.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class UuidV7Test {

  private static final Comparator<UUID> AS_TEXT = Comparator.comparing(UUID::toString);

  @Test
  void hasTheFormOfTheStandard() {
    // The example of RFC 9562, A.6, has this time.
    UUID id = at(0x017F22E279B0L).next();

    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(id.toString()).startsWith("017f22e2-79b0-7").hasSize(36);
  }

  @Test
  void growsWithinOneMillisecondAndBeyondWhatItsCounterHolds() {
    UuidV7 generator = at(LongStream.generate(() -> 1_000).iterator());
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      ids.add(generator.next());
    }

    assertThat(ids).isSortedAccordingTo(AS_TEXT).doesNotHaveDuplicates();
    assertThat(millis(ids.get(0))).isEqualTo(1_000);
    assertThat(millis(ids.get(19_999))).isBetween(1_004L, 1_010L);
  }

  @Test
  void growsWhenTheClockGoesBack() {
    UuidV7 generator = at(LongStream.of(5_000, 4_000, 4_999, 5_000, 5_001).iterator());
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.add(generator.next());
    }

    assertThat(ids).isSortedAccordingTo(AS_TEXT).doesNotHaveDuplicates();
    assertThat(ids)
        .extracting(UuidV7Test::millis)
        .containsExactly(5_000L, 5_000L, 5_000L, 5_000L, 5_001L);
  }

  @Test
  void isSharedByThreads() throws Exception {
    UuidV7 generator = new UuidV7(Clock.systemUTC(), new Random(1));
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<List<UUID>>> made = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        made.add(
            threads.submit(
                () -> LongStream.range(0, 5_000).mapToObj(n -> generator.next()).toList()));
      }
      Set<UUID> all = new HashSet<>();
      for (Future<List<UUID>> future : made) {
        assertThat(future.get()).isSortedAccordingTo(AS_TEXT);
        all.addAll(future.get());
      }
      assertThat(all).hasSize(20_000);
    } finally {
      threads.shutdownNow();
    }
  }

  private static long millis(UUID id) {
    return id.getMostSignificantBits() >>> 16;
  }

  private static UuidV7 at(long millis) {
    return at(LongStream.of(millis).iterator());
  }

  private static UuidV7 at(Iterator<Long> millis) {
    return new UuidV7(
        new Clock() {
          @Override
          public ZoneOffset getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(java.time.ZoneId zone) {
            return this;
          }

          @Override
          public Instant instant() {
            return Instant.ofEpochMilli(millis.next());
          }
        },
        new Random(7));
  }
}
