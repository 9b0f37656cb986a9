package dev.waybill.consumer;

import static dev.waybill.consumer.Events.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.waybill.consumer.guard.Guard;
import dev.waybill.consumer.handle.EventHandler;
import dev.waybill.consumer.handle.RetryPolicy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds when partitions change hands. */
class RebalanceTest {

  enum Protocol {
    EAGER("partition.assignment.strategy", RangeAssignor.class.getName()),
    COOPERATIVE("partition.assignment.strategy", CooperativeStickyAssignor.class.getName()),
    KIP_848("group.protocol", "consumer");

    private final String key;
    private final String value;

    Protocol(String key, String value) {
      this.key = key;
      this.value = value;
    }

    Map<String, String> settings() {
      return Map.of(key, value);
    }
  }

  private static final int PARTITIONS = 6;

  private final Outcomes first = new Outcomes();
  private final Outcomes second = new Outcomes();
  private final CountDownLatch began = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private TestBed bed;

  @BeforeEach
  void open() throws SQLException {
    bed = TestBed.open(PARTITIONS);
  }

  @AfterEach
  void close() {
    release.countDown();
    bed.close();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void c64_aHandlerThatRunsLongerThanMaxPollIntervalKeepsItsPartition(Protocol protocol)
      throws Exception {
    bed.publishTo(0, event("slow"), event("e2"));
    bed.start(
        bed.consumer("billing")
            .kafka(protocol.settings())
            .kafka(Map.of("max.poll.interval.ms", 4_000))
            .revokeTimeout(Duration.ofSeconds(1))
            .stuckAfter(Duration.ofSeconds(5))
            .listener(first)
            .onAny(waitingAt("slow")));
    await().atMost(TestBed.PATIENCE).until(() -> first.told().contains("stuck 0@0"));
    release.countDown();
    bed.awaitCommitted("billing", 0, 2);
    assertThat(first.told()).startsWith("stuck 0@0").endsWith("handled slow", "handled e2");
    assertThat(first.count("duplicate")).isZero();
    assertThat(bed.effects("billing")).containsExactly("slow", "e2");
  }

  @ParameterizedTest
  @MethodSource("protocolsAndDatabases")
  void c64_aHandlerThatOutlastsTheRevocationTakesEffectOnce(
      Protocol protocol, TestDatabase database) throws Exception {
    moveTo(database);
    bed.publishTo(0, event("slow"), event("queued"));
    EventConsumer old =
        bed.start(
            bed.consumer("billing")
                .kafka(protocol.settings())
                .revokeTimeout(Duration.ofMillis(300))
                .closeTimeout(Duration.ofMillis(300))
                .listener(first)
                .onAny(
                    (event, tx) -> {
                      TestBed.write("billing", event, tx);
                      began.countDown();
                      awaitUninterruptibly(release);
                    }));
    began.await();
    bed.start(
        bed.consumer("billing")
            .kafka(protocol.settings())
            .listener(second)
            .onAny((event, tx) -> TestBed.write("billing", event, tx)));
    old.close();
    bed.awaitWaiting(1);
    assertThat(bed.effects("billing")).isEmpty();
    release.countDown();
    bed.awaitCommitted("billing", 0, 2);
    assertThat(bed.effects("billing")).containsExactly("slow", "queued");
    assertThat(second.told()).containsExactly("duplicate slow", "handled queued");
    assertThat(first.told()).as("what was queued is dropped").containsExactly("handled slow");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aRevocationWaitsForTheRunningHandlerAndCommitsItsOffset(Protocol protocol) throws Exception {
    bed.publishTo(0, event("slow"), event("queued"));
    EventConsumer old =
        bed.start(
            bed.consumer("billing")
                .kafka(protocol.settings())
                .commitInterval(Duration.ofHours(1))
                .listener(first)
                .onAny(waitingAt("slow")));
    began.await();
    Thread closing = new Thread(old::close);
    closing.start();
    await().atMost(TestBed.PATIENCE).until(() -> old.state() == ConsumerState.CLOSING);
    release.countDown();
    closing.join();
    assertThat(bed.committed("billing", 0)).isEqualTo(1);
    assertThat(first.told()).containsExactly("handled slow");
    bed.start(bed.consumer("billing").listener(second).onAny(waitingAt("nothing")));
    bed.awaitCommitted("billing", 0, 2);
    assertThat(second.told()).containsExactly("handled queued");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void c64_aMemberThatJoinsGetsNothingThatIsStillAtWork(Protocol protocol) throws Exception {
    CountDownLatch allBegan = new CountDownLatch(PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      bed.publishTo(partition, event("slow" + partition), event("queued" + partition));
    }
    EventConsumer.Builder holding =
        bed.consumer("billing")
            .kafka(protocol.settings())
            .workers(PARTITIONS)
            .commitInterval(Duration.ofHours(1))
            .listener(first)
            .onAny(
                (event, tx) -> {
                  TestBed.write("billing", event, tx);
                  allBegan.countDown();
                  release.await();
                });
    bed.start(holding);
    allBegan.await();
    bed.start(
        bed.consumer("billing")
            .kafka(protocol.settings())
            .listener(second)
            .onAny((event, tx) -> TestBed.write("billing", event, tx)));
    first.awaitGivenUp();
    release.countDown();
    await().atMost(TestBed.PATIENCE).until(() -> second.count("handled queued") >= 1);
    await().atMost(TestBed.PATIENCE).until(() -> bed.effects("billing").size() == 2 * PARTITIONS);
    assertThat(bed.effects("billing")).doesNotHaveDuplicates();
    assertThat(first.count("duplicate") + second.count("duplicate"))
        .as("what had ended was committed before the partition was given up")
        .isZero();
  }

  @ParameterizedTest
  @MethodSource("protocolsAndDatabases")
  void c65_membersThatComeAndGoLoseNothingAndRepeatNoEffect(
      Protocol protocol, TestDatabase database) throws Exception {
    moveTo(database);
    int events = 240;
    Random random = new Random(7);
    List<EventConsumer> members = new ArrayList<>();
    members.add(bed.start(member(protocol)));
    for (int i = 0; i < events; i++) {
      String key = "order-" + i % PARTITIONS;
      bed.publishTo(i % PARTITIONS, event("e" + i, "OrderPaid", key, 1L + i / PARTITIONS));
      if (i % 30 == 29) {
        if (members.size() > 1 && random.nextBoolean()) {
          members.remove(random.nextInt(members.size())).close();
        } else {
          members.add(bed.start(member(protocol)));
        }
      }
    }
    for (int partition = 0; partition < PARTITIONS; partition++) {
      bed.awaitCommitted("billing", partition, events / PARTITIONS);
    }
    List<String> effects = bed.effects("billing");
    assertThat(effects).doesNotHaveDuplicates().hasSize(events);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      int each = partition;
      List<Integer> ofKey =
          effects.stream()
              .map(id -> Integer.parseInt(id.substring(1)))
              .filter(n -> n % PARTITIONS == each)
              .collect(Collectors.toList());
      assertThat(ofKey)
          .isEqualTo(
              IntStream.range(0, events).filter(n -> n % PARTITIONS == each).boxed().toList());
    }
    assertThat(first.count("parked")).isZero();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void c64_aMemberThatWasThrownOutLosesAndRepeatsNothing(Protocol protocol) throws Exception {
    CountDownLatch thrownOut = new CountDownLatch(1);
    bed.publishTo(0, event("slow"), event("queued"));
    bed.start(
        bed.consumer("billing")
            .kafka(protocol.settings())
            .kafka(Map.of("max.poll.interval.ms", 2_000))
            .revokeTimeout(Duration.ofSeconds(1))
            .stuckAfter(Duration.ofMillis(200))
            .listener(first)
            .listener(
                new ConsumerListener() {
                  @Override
                  public void stuck(Delivery delivery, Duration running) {
                    awaitUninterruptibly(thrownOut);
                  }
                })
            .onAny(waitingAt("slow")));
    began.await();
    bed.start(
        bed.consumer("billing")
            .kafka(protocol.settings())
            .listener(second)
            .onAny((event, tx) -> TestBed.write("billing", event, tx)));
    bed.awaitWaiting(1);
    assertThat(first.told()).as("its own thread was told nothing yet").containsExactly("stuck 0@0");
    thrownOut.countDown();
    first.awaitGivenUp();
    release.countDown();
    await()
        .atMost(TestBed.PATIENCE)
        .until(() -> bed.effects("billing").equals(List.of("slow", "queued")));
    bed.awaitCommitted("billing", 0, 2);
    assertThat(first.told()).contains("handled slow").doesNotContain("handled queued");
    assertThat(second.told()).containsExactly("duplicate slow", "handled queued");
    assertThat(first.states()).doesNotContain(ConsumerState.FAILED);
  }

  /**
   * On MySQL, one protocol shows what the database adds: how a second owner waits for the first.
   */
  static Stream<Arguments> protocolsAndDatabases() {
    return Stream.concat(
        Stream.of(Protocol.values()).map(each -> arguments(each, TestDatabase.POSTGRESQL)),
        Stream.of(arguments(Protocol.COOPERATIVE, TestDatabase.MYSQL)));
  }

  private void moveTo(TestDatabase database) throws SQLException {
    bed.close();
    bed = TestBed.open(database, PARTITIONS);
  }

  /** The other member reads another topic, so that everything comes back to the first. */
  @Test
  void c64_aPartitionThatComesBackWhileItsHandlerRunsTakesEffectOnce() throws Exception {
    String other = bed.topic() + ".other";
    bed.createTopic(other, 1);
    bed.publishTo(0, event("slow"), event("queued"));
    bed.start(
        bed.consumer("billing")
            .kafka(Protocol.EAGER.settings())
            .revokeTimeout(Duration.ofMillis(300))
            .listener(first)
            .onAny(waitingAt("slow")));
    began.await();
    bed.start(
        bed.consumer("billing")
            .topics(other)
            .kafka(Protocol.EAGER.settings())
            .listener(second)
            .onAny((event, tx) -> {}));
    bed.awaitWaiting(1);
    release.countDown();
    bed.awaitCommitted("billing", 0, 2);
    assertThat(bed.effects("billing")).containsExactly("slow", "queued");
    assertThat(first.told())
        .containsExactlyInAnyOrder("handled slow", "duplicate slow", "handled queued");
    assertThat(second.told()).isEmpty();
  }

  @Test
  void aMemberThatFollowsStartsAtTheCommittedOffsetWithNothingLeftOver() throws Exception {
    bed.publishTo(0, event("e1"), event("ill"));
    EventConsumer old =
        bed.start(
            bed.consumer("billing")
                .listener(first)
                .onAny(
                    (event, tx) -> {
                      if (event.id().equals("ill")) {
                        throw new IllegalStateException("ill");
                      }
                      TestBed.write("billing", event, tx);
                    })
                .retry(RetryPolicy.after(Duration.ofMillis(10), Duration.ofMinutes(10))));
    await().atMost(TestBed.PATIENCE).until(() -> first.count("retry ill") == 2);
    old.close();
    assertThat(bed.committed("billing", 0)).isEqualTo(1);
    bed.start(
        bed.consumer("billing")
            .listener(second)
            .onAny((event, tx) -> TestBed.write("billing", event, tx)));
    bed.awaitCommitted("billing", 0, 2);
    assertThat(second.told()).containsExactly("handled ill");
  }

  private EventConsumer.Builder member(Protocol protocol) {
    return bed.consumer("billing")
        .kafka(protocol.settings())
        .workers(2)
        .guard(Guard.inbox().and(Guard.aggregateVersion()))
        .listener(first)
        .onAny((event, tx) -> TestBed.write("billing", event, tx));
  }

  private EventHandler waitingAt(String id) {
    return (event, tx) -> {
      TestBed.write("billing", event, tx);
      if (event.id().equals(id)) {
        began.countDown();
        release.await();
      }
    };
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
