package dev.waybill.consumer;

import static dev.waybill.consumer.Events.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LifecycleTest {

  private final Outcomes outcomes = new Outcomes();
  private TestBed bed;

  @BeforeEach
  void open() throws SQLException {
    bed = TestBed.open(1);
  }

  @AfterEach
  void closeAndLookForThreadsThatAreLeft() {
    bed.close();
    String group = bed.group("billing");
    await()
        .atMost(TestBed.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().contains(group)));
  }

  @Test
  void startsOnce() {
    EventConsumer consumer = bed.start(consumer().onAny((event, tx) -> {}));
    assertThatThrownBy(consumer::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is RUNNING");
  }

  @Test
  void closesBeforeItWasStartedAndDoesNotStartAfterwards() {
    EventConsumer consumer = consumer().onAny((event, tx) -> {}).build();
    consumer.close();
    consumer.close();
    assertThat(consumer.state()).isEqualTo(ConsumerState.CLOSED);
    assertThatThrownBy(consumer::start).hasMessageContaining("is CLOSED");
  }

  @Test
  void closesAsOftenAsOneLikesAndCommitsWhatIsDone() {
    bed.publishTo(0, event("e1"));
    EventConsumer consumer =
        bed.start(
            consumer()
                .commitInterval(Duration.ofHours(1))
                .onAny((event, tx) -> TestBed.write("billing", event, tx)));
    bed.awaitEffects("billing", "e1");
    await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("handled") == 1);
    consumer.close();
    consumer.close();
    assertThat(consumer.state()).isEqualTo(ConsumerState.CLOSED);
    assertThat(bed.committed("billing", 0)).isEqualTo(1);
    assertThat(outcomes.states())
        .isEqualTo(List.of(ConsumerState.RUNNING, ConsumerState.CLOSING, ConsumerState.CLOSED));
  }

  @Test
  void aHandlerThatDoesNotEndIsInterruptedAndItsEventComesAgain() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    bed.publishTo(0, event("e1"));
    EventConsumer consumer =
        bed.start(
            consumer()
                .closeTimeout(Duration.ofMillis(200))
                .onAny(
                    (event, tx) -> {
                      TestBed.write("billing", event, tx);
                      began.countDown();
                      new CountDownLatch(1).await();
                    }));
    began.await();
    consumer.close();
    assertThat(consumer.state()).isEqualTo(ConsumerState.CLOSED);
    assertThat(bed.effects("billing")).isEmpty();
    assertThat(outcomes.told()).isEmpty();
    bed.start(consumer().onAny((event, tx) -> TestBed.write("billing", event, tx)));
    bed.awaitCommitted("billing", 0, 1);
    assertThat(bed.effects("billing")).containsExactly("e1");
  }

  @Test
  void canBeClosedByItsOwnHandler() {
    AtomicReference<EventConsumer> self = new AtomicReference<>();
    bed.publishTo(0, event("e1"), event("e2"));
    EventConsumer consumer =
        consumer()
            .onAny(
                (event, tx) -> {
                  TestBed.write("billing", event, tx);
                  self.get().close();
                })
            .build();
    self.set(consumer);
    consumer.start();
    await().atMost(TestBed.PATIENCE).until(() -> consumer.state() == ConsumerState.CLOSED);
    assertThat(bed.effects("billing")).contains("e1");
    assertThat(bed.committed("billing", 0)).isEqualTo(bed.effects("billing").size());
  }

  @Test
  void losesNothingWhenPartitionsAreHeldAndReadOnAllTheTime() throws Exception {
    int queued = 10;
    for (int i = 0; i < 200; i++) {
      bed.publishTo(0, event("e" + i));
    }
    CountDownLatch release = new CountDownLatch(1);
    bed.start(
        consumer()
            .readAhead(queued, 1024)
            .kafka(Map.of("max.poll.records", 5, "client.id", bed.group("held")))
            .stuckAfter(Duration.ofSeconds(1))
            .onAny(
                (event, tx) -> {
                  release.await();
                  TestBed.write("billing", event, tx);
                }));
    // Told by the polling thread, which has gone round many times by then.
    await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("stuck") >= 1);
    assertThat(recordsConsumed(bed.group("held"))).isLessThan(200);
    release.countDown();
    bed.awaitCommitted("billing", 0, 200);
    assertThat(bed.effects("billing")).hasSize(200).doesNotHaveDuplicates();
  }

  /** What polls have brought, as Kafka's consumer counts it: a whole fetch at its end. */
  private static double recordsConsumed(String client) throws Exception {
    ObjectName metrics =
        new ObjectName("kafka.consumer:type=consumer-fetch-manager-metrics,client-id=" + client);
    return (double)
        ManagementFactory.getPlatformMBeanServer().getAttribute(metrics, "records-consumed-total");
  }

  private EventConsumer.Builder consumer() {
    return bed.consumer("billing").listener(outcomes);
  }
}
