package dev.waybill.it.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.it.world.Servers;
import dev.waybill.it.world.Topics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An audit that cannot fail would prove nothing. */
class AuditTest {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String prefix = "audit" + COUNT.incrementAndGet() + ".";
  private final EventSource source = new EventSource("a", new SplittableRandom(1));
  private final Ledger ledger = new Ledger();
  private KafkaProducer<byte[], byte[]> producer;
  private Topics topics;

  AuditTest() {
    String bootstrap = Servers.broker().bootstrapServers();
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    topics = new Topics(bootstrap, prefix);
  }

  @BeforeEach
  void commitSomeEvents() {
    for (int i = 0; i < 4; i++) {
      ledger.committed(List.of(source.next("order", "1")));
    }
  }

  @AfterEach
  void close() {
    producer.close();
    topics.close();
  }

  @Test
  void passesWhatIsRightRepeatsIncluded() {
    List<LoadEvent> events = committed();
    events.forEach(this::send);
    events.subList(1, 3).forEach(this::send);

    audit().assertAll();

    assertThat(audit().repeats()).isEqualTo(2);
  }

  @Test
  void seesALoss() {
    committed().subList(0, 3).forEach(this::send);

    assertThatThrownBy(() -> audit().assertNothingLost()).hasMessageContaining("a-4");
  }

  @Test
  void seesAPhantom() {
    committed().forEach(this::send);
    send(source.next("order", "1"));

    assertThatThrownBy(() -> audit().assertNoPhantom()).hasMessageContaining("a-5");
  }

  @Test
  void seesAChangeOfOrder() {
    List<LoadEvent> events = committed();
    send(events.get(1));
    send(events.get(0));
    send(events.get(2));
    send(events.get(3));

    assertThatThrownBy(() -> audit().assertOrderPerAggregate()).isInstanceOf(AssertionError.class);
  }

  @Test
  void seesAChangedPayload() {
    LoadEvent event = committed().get(0);
    send(event, event.payload().replace("199.00", "199.0"));

    assertThatThrownBy(() -> audit().assertPayloadsAreUnchanged()).hasMessageContaining("a-1");
  }

  @Test
  void seesARepeatThatIsNoCopy() {
    LoadEvent event = committed().get(0);
    send(event);
    send(event, event.payload() + " ");

    assertThatThrownBy(() -> audit().assertRepeatsAreCopies()).hasMessageContaining("a-1");
  }

  private Audit audit() {
    producer.flush();
    return new Audit(ledger, topics.read());
  }

  private List<LoadEvent> committed() {
    return new ArrayList<>(ledger.committed().values());
  }

  private void send(LoadEvent event) {
    send(event, event.payload());
  }

  private void send(LoadEvent event, String payload) {
    var unused =
        producer.send(
            new ProducerRecord<>(
                prefix + event.aggregateType(),
                null,
                0L,
                bytes(event.aggregateId()),
                bytes(payload),
                List.of(new RecordHeader("ce_id", bytes(event.id())))));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
