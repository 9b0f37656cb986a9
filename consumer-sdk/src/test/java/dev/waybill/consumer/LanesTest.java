package dev.waybill.consumer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.consumer.ConsumerConfig.Pace;
import dev.waybill.consumer.poll.Partition;
import dev.waybill.consumer.poll.Polled;
import dev.waybill.consumer.poll.PolledRecord;
import dev.waybill.wire.WireRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LanesTest {

  private static final Partition A = new Partition("t", 0);
  private static final Partition B = new Partition("t", 1);
  private static final long NOW = System.nanoTime();
  private static final Duration ANY = Duration.ofSeconds(1);

  private final Lanes lanes = new Lanes(new Pace(1, 4, 1_000, ANY, ANY, ANY, ANY));

  @BeforeEach
  void open() {
    lanes.open(Set.of(A, B));
  }

  @Test
  void holdsAFullPartitionUntilItIsHalfEmpty() {
    add(A, 0, 4, 1);
    assertThat(lanes.held()).containsExactly(A);
    Lane lane = lanes.start(System.nanoTime()).get(0);
    workOff(lane, 1);
    assertThat(lanes.held()).as("3 of 4").containsExactly(A);
    workOff(lane, 1);
    assertThat(lanes.held()).as("2 of 4").isEmpty();
  }

  @Test
  void holdsAllThatHaveSomethingToDoWhileTogetherTheyAreTooHeavy() {
    add(A, 0, 1, 1_000);
    assertThat(lanes.held()).containsExactly(A);
    add(B, 0, 1, 1);
    assertThat(lanes.held()).containsExactlyInAnyOrder(A, B);
    for (Lane lane : lanes.start(System.nanoTime())) {
      if (lane.partition().equals(A)) {
        workOff(lane, 1);
      }
    }
    assertThat(lanes.held()).isEmpty();
  }

  @Test
  void startsALaneOnce() {
    add(A, 0, 1, 1);
    assertThat(lanes.start(System.nanoTime())).hasSize(1);
    assertThat(lanes.start(System.nanoTime())).isEmpty();
  }

  @Test
  void startsALaneAgainOnlyAfterItsBackOff() {
    add(A, 0, 1, 1);
    Lane lane = lanes.start(NOW + 1_000_000_000L).get(0);
    lane.backOff(Duration.ofSeconds(10), NOW);
    assertThat(lanes.start(NOW + Duration.ofSeconds(9).toNanos())).isEmpty();
    assertThat(lanes.start(NOW + Duration.ofSeconds(10).toNanos())).containsExactly(lane);
  }

  @Test
  void c64_aLaneWithoutItsWorkerHasStoppedAndStartsNothing() throws Exception {
    add(A, 0, 2, 1);
    Lane lane = lanes.start(System.nanoTime()).get(0);
    lanes.end(Set.of(A));
    assertThat(lane.awaitStopped(System.nanoTime())).isTrue();
    assertThat(lane.next(NOW)).isNull();
  }

  @Test
  void aLaneHasStoppedOnceItsEventHasAnOutcome() throws Exception {
    add(A, 0, 2, 1);
    Lane lane = lanes.start(System.nanoTime()).get(0);
    PolledRecord running = requireNonNull(lane.next(NOW));
    lanes.end(Set.of(A));
    assertThat(lane.awaitStopped(System.nanoTime())).isFalse();
    lane.completed(running);
    assertThat(lane.awaitStopped(System.nanoTime())).isTrue();
  }

  @Test
  void aPartitionThatIsSetBackBeginsAnew() {
    assertThat(add(A, 7, 3, 1)).isEmpty();
    Lane former = lanes.start(System.nanoTime()).get(0);
    PolledRecord running = requireNonNull(former.next(NOW));
    assertThat(add(A, 5, 1, 1)).containsExactly(A);
    assertThat(former.isEnded()).isTrue();
    former.completed(running);
    assertThat(Lanes.committable(lanes.all())).isEqualTo(Map.of(A, 5L));
    Lane lane = lanes.start(System.nanoTime()).get(0);
    workOff(lane, 1);
    assertThat(Lanes.committable(lanes.all())).isEqualTo(Map.of(A, 6L));
    assertThat(add(A, 6, 1, 1)).isEmpty();
  }

  @Test
  void c65_aPartitionThatComesBackHasNothingOfItsFormerTime() {
    add(A, 7, 3, 1);
    Lane former = lanes.start(System.nanoTime()).get(0);
    PolledRecord running = former.next(NOW);
    assertThat(lanes.end(Set.of(A))).containsExactly(former);
    lanes.open(Set.of(A));
    assertThat(Lanes.committable(lanes.all())).isEmpty();
    assertThat(lanes.start(System.nanoTime())).isEmpty();
    if (running != null) {
      former.completed(running);
    }
    assertThat(former.next(NOW)).as("what was queued is dropped").isNull();
    assertThat(former.committable()).as("and not committed").hasValue(8);
    assertThat(Lanes.committable(lanes.all())).isEmpty();
  }

  private static void workOff(Lane lane, int events) {
    for (int i = 0; i < events; i++) {
      PolledRecord record = lane.next(NOW);
      assertThat(record).isNotNull();
      if (record != null) {
        lane.completed(record);
      }
    }
  }

  private Set<Partition> add(Partition partition, long offset, int count, int bytes) {
    List<PolledRecord> records = new ArrayList<>();
    for (long i = offset; i < offset + count; i++) {
      WireRecord record = new WireRecord(partition.topic(), null, null, List.of(), 0);
      records.add(new PolledRecord(partition, i, record, bytes));
    }
    return lanes.add(new Polled(Map.of(partition, records), Map.of(partition, offset + count)));
  }
}
