package dev.waybill.consumer;

import static dev.waybill.consumer.Events.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.KafkaBroker;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The broker is waited for, too. */
class BrokerOutageTest {

  private final Outcomes outcomes = new Outcomes();

  @Test
  void c67_theBrokerGoesWhileAnEventIsToBeParkedAndComesBack() throws Exception {
    try (KafkaBroker broker = KafkaBroker.builder().start();
        TestBed bed = TestBed.open(broker, 1)) {
      bed.publishTo(0, event("e1"), event("poison"), event("e3"));
      bed.start(
          bed.consumer("billing")
              .kafka(Map.of("reconnect.backoff.max.ms", 500))
              .parkTimeout(Duration.ofSeconds(2))
              .listener(outcomes)
              .onAny(
                  (event, tx) -> {
                    if (event.id().equals("poison")) {
                      if (broker.isRunning() && outcomes.count("retry poison") == 0) {
                        broker.kill();
                      }
                      throw new IllegalStateException("poison");
                    }
                    TestBed.write("billing", event, tx);
                  }));
      // Two attempts of the handler's, then one to park.
      await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("retry poison") >= 3);
      assertThat(bed.effects("billing")).containsExactly("e1");
      broker.start();
      bed.awaitCommitted("billing", 0, 3);
      assertThat(bed.awaitParked("billing", 1)).hasSize(1);
      assertThat(bed.effects("billing")).containsExactly("e1", "e3");
    }
  }

  @Test
  void aBrokerThatCannotEvenBeResolvedIsWaitedFor() throws Exception {
    try (TestBed bed = TestBed.open(1)) {
      EventConsumer consumer =
          bed.start(
              bed.consumer("billing")
                  .kafka(Map.of("bootstrap.servers", "no-such-host.invalid:9092"))
                  .listener(outcomes)
                  .onAny((event, tx) -> {}));
      await().atMost(TestBed.PATIENCE).until(() -> consumer.state() == ConsumerState.WAITING);
      consumer.close();
      assertThat(consumer.state()).isEqualTo(ConsumerState.CLOSED);
    }
  }

  @Test
  void aTopicThatDoesNotExistYetIsWaitedForAndNotMade() throws Exception {
    try (TestBed bed = TestBed.open(1)) {
      String later = bed.topic() + ".later";
      bed.start(
          bed.consumer("billing")
              .topics(later)
              .kafka(Map.of("metadata.max.age.ms", 500))
              .listener(outcomes)
              .onAny((event, tx) -> TestBed.write("billing", event, tx)));
      bed.publishTo(0, event("e1"));
      bed.awaitCommitted("billing", 0, 1);
      assertThat(bed.topics()).doesNotContain(later);
      bed.createTopic(later, 1);
      bed.publish(later, 0, event("e2"));
      bed.awaitEffects("billing", "e1", "e2");
    }
  }
}
