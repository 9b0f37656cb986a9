package dev.waybill.consumer;

import static dev.waybill.consumer.Events.event;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.consumer.guard.GapPolicy;
import dev.waybill.consumer.guard.Guard;
import dev.waybill.consumer.handle.DecoderUnavailableException;
import dev.waybill.consumer.handle.Outcome;
import dev.waybill.consumer.handle.Outcome.Cost;
import dev.waybill.consumer.handle.PayloadDecoder;
import dev.waybill.consumer.handle.RetryPolicy;
import dev.waybill.consumer.poll.Partition;
import dev.waybill.event.Event;
import dev.waybill.wire.ParkedHeaders;
import dev.waybill.wire.TopicNames;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of events whose handling fails, as far as the database has no part in it. */
class FailureTest {

  private final Outcomes outcomes = new Outcomes();
  private TestBed bed;

  @BeforeEach
  void open() throws SQLException {
    bed = TestBed.open(2);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  @Test
  void c63_aPoisonEventIsParkedWithAllThatIsKnownWhileTheOthersFlow() throws Exception {
    Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    bed.publishTo(0, event("poison", "OrderCreated", "order-7", 4L), event("e2"));
    bed.publishTo(1, event("e3"));
    bed.start(
        consumer()
            .onAny(
                (event, tx) -> {
                  TestBed.write("billing", event, tx);
                  if (event.id().equals("poison")) {
                    throw new IllegalStateException("no such product: ☃");
                  }
                }));
    bed.awaitCommitted("billing", 0, 2);
    bed.awaitCommitted("billing", 1, 1);
    assertThat(bed.effects("billing")).containsExactlyInAnyOrder("e2", "e3");
    assertThat(bed.count("SELECT count(*) FROM consumed_event WHERE event_id = 'poison'")).isZero();

    ConsumerRecord<byte[], byte[]> parked = bed.awaitParked("billing", 1).get(0);
    assertThat(parked.key()).isEqualTo("order-7".getBytes(UTF_8));
    assertThat(parked.value()).isEqualTo("{\"quantity\":1}".getBytes(UTF_8));
    Map<String, String> headers = new HashMap<>();
    parked.headers().forEach(h -> headers.put(h.key(), TestBed.header(parked, h.key())));
    assertThat(headers)
        .containsEntry("ce_id", "poison")
        .containsEntry("ce_aggregateversion", "4")
        .containsEntry("tenant", "acme")
        .containsEntry(ParkedHeaders.EVENT_ID, "poison")
        .containsEntry(ParkedHeaders.GROUP, bed.group("billing"))
        .containsEntry(ParkedHeaders.TOPIC, bed.topic())
        .containsEntry(ParkedHeaders.PARTITION, "0")
        .containsEntry(ParkedHeaders.OFFSET, "0")
        .containsEntry(ParkedHeaders.ATTEMPTS, "3")
        .containsEntry(ParkedHeaders.EXCEPTION, "java.lang.IllegalStateException")
        .containsEntry(ParkedHeaders.MESSAGE, "no such product: ☃");
    assertThat(headers.get(ParkedHeaders.REASON)).contains("3 times", "no such product");
    assertThat(headers.get(ParkedHeaders.STACK)).contains("FailureTest").hasSizeLessThan(8_100);
    Instant first = Instant.parse(headers.get(ParkedHeaders.FIRST_FAILED_AT));
    Instant last = Instant.parse(headers.get(ParkedHeaders.LAST_FAILED_AT));
    assertThat(first).isBetween(before, last);
    assertThat(last).isBetween(first, Instant.now());
    assertThat(Instant.parse(headers.get(ParkedHeaders.TIMESTAMP))).isBetween(before, first);
    assertThat(settings(TopicNames.parked(bed.topic(), bed.group("billing"))))
        .containsEntry("retention.ms", "-1")
        .containsEntry("cleanup.policy", "delete");
  }

  @Test
  void c58_idsThatAreTooLongAreParkedBothWithTheirReason() {
    String tooLong = "x".repeat(64);
    bed.publishTo(0, event(tooLong + "1"), event(tooLong + "2"), event("e3"));
    bed.start(consumer().onAny((event, tx) -> TestBed.write("billing", event, tx)));
    bed.awaitCommitted("billing", 0, 3);
    assertThat(bed.effects("billing")).containsExactly("e3");
    List<ConsumerRecord<byte[], byte[]>> parked = bed.awaitParked("billing", 2);
    assertThat(parked)
        .extracting(record -> TestBed.header(record, ParkedHeaders.EVENT_ID))
        .containsExactlyInAnyOrder(tooLong + "1", tooLong + "2");
    assertThat(parked)
        .allMatch(
            record ->
                TestBed.header(record, ParkedHeaders.REASON).contains("event_id has 65 characters")
                    && TestBed.header(record, ParkedHeaders.ATTEMPTS).equals("0"));
  }

  @Test
  void aRecordWithoutAnIdIsParkedAtOnce() {
    bed.send(new ProducerRecord<>(bed.topic(), 0, "k".getBytes(UTF_8), "no event".getBytes(UTF_8)));
    bed.send(new ProducerRecord<>(bed.topic(), 0, null, null));
    bed.publishTo(0, event("e1"));
    bed.start(consumer().onAny((event, tx) -> TestBed.write("billing", event, tx)));
    bed.awaitCommitted("billing", 0, 3);
    assertThat(outcomes.told())
        .containsExactly("parked UNDECODABLE ?", "parked UNDECODABLE ?", "handled e1");
    assertThat(bed.awaitParked("billing", 2))
        .anyMatch(record -> record.key() == null && record.value() == null)
        .allMatch(
            record -> TestBed.header(record, ParkedHeaders.REASON).contains("has no event id"));
  }

  @Test
  void aPayloadThatCannotBeDecodedIsParkedAtOnce() {
    bed.publishTo(
        0,
        Events.withPayload("e1", "OrderCreated", "a", null, "{".getBytes(UTF_8)),
        Events.withPayload("e2", "OrderCreated", "a", null, null),
        event("e3"));
    bed.start(
        consumer()
            .on(
                "OrderCreated",
                HandlersOrder.class,
                (order, event, tx) -> TestBed.write("billing", event, tx)));
    bed.awaitCommitted("billing", 0, 3);
    assertThat(outcomes.told())
        .containsExactly("parked UNDECODABLE e1", "parked UNDECODABLE e2", "handled e3");
  }

  @Test
  void aDecoderThatLacksItsRegistryIsWaitedFor() {
    AtomicBoolean away = new AtomicBoolean(true);
    bed.publishTo(0, event("e1"));
    EventConsumer consumer =
        bed.start(
            consumer()
                .decoder(
                    new PayloadDecoder() {
                      @Override
                      public <T> T decode(byte[] payload, Class<T> type) {
                        if (away.get()) {
                          throw new DecoderUnavailableException(
                              "no registry", new IOException("refused"));
                        }
                        return type.cast(new HandlersOrder(1));
                      }
                    })
                .on(
                    "OrderCreated",
                    HandlersOrder.class,
                    (order, event, tx) -> TestBed.write("billing", event, tx)));
    await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("retry e1") >= 4);
    assertThat(consumer.state()).isEqualTo(ConsumerState.WAITING);
    away.set(false);
    bed.awaitCommitted("billing", 0, 1);
    assertThat(outcomes.retries()).allMatch(retry -> retry.cost() == Cost.NOTHING);
    assertThat(outcomes.told()).endsWith("handled e1");
    assertThat(consumer.state()).isEqualTo(ConsumerState.RUNNING);
  }

  record HandlersOrder(int quantity) {}

  @Test
  void c70_whatSkipsAVersionIsParkedUntilTheMissingOneCame() {
    bed.publishTo(0, version(1), version(3), version(2), version(4));
    bed.start(
        consumer()
            .guard(Guard.inbox().and(Guard.aggregateVersion(GapPolicy.PARK)))
            .onAny((event, tx) -> TestBed.write("billing", event, tx)));
    bed.awaitCommitted("billing", 0, 4);
    assertThat(bed.effects("billing")).containsExactly("v1", "v2");
    assertThat(outcomes.told())
        .containsExactly("handled v1", "parked GAP v3", "handled v2", "parked GAP v4");
    assertThat(TestBed.header(bed.awaitParked("billing", 2).get(0), ParkedHeaders.REASON))
        .isEqualTo("Event v3 is version 3 of Order a, but the last one was 1");
  }

  @Test
  void c62_aPoolThatTheHandlerItselfHasEmptiedCostsAttempts() {
    HikariDataSource pool = TestBed.pool(bed.database());
    pool.setMaximumPoolSize(1);
    pool.setConnectionTimeout(250);
    bed.publishTo(0, event("greedy"), event("e2"));
    bed.start(
        consumer()
            .workers(1)
            .dataSource(pool)
            .onAny(
                (event, tx) -> {
                  TestBed.write("billing", event, tx);
                  if (event.id().equals("greedy")) {
                    try (Connection second = pool.getConnection()) {
                      TestBed.write(second, "billing", event);
                    }
                  }
                }));
    bed.awaitCommitted("billing", 0, 2);
    bed.closeConsumers();
    pool.close();
    assertThat(outcomes.told())
        .containsExactly("retry greedy", "retry greedy", "parked FAILED greedy", "handled e2");
    assertThat(bed.effects("billing")).containsExactly("e2");
  }

  @Test
  void c70_aGapCanCountAsAFailure() {
    bed.publishTo(0, version(1), version(3));
    bed.start(
        consumer()
            .guard(Guard.aggregateVersion(GapPolicy.FAIL))
            .onAny((event, tx) -> TestBed.write("billing", event, tx)));
    bed.awaitCommitted("billing", 0, 2);
    assertThat(outcomes.told())
        .containsExactly("handled v1", "retry v3", "retry v3", "parked FAILED v3");
  }

  @Test
  void c67_anEventThatCannotBeParkedHoldsItsPartitionAndNoOther() throws Exception {
    String parkTopic = TopicNames.parked(bed.topic(), bed.group("billing"));
    bed.createTopic(parkTopic, 1);
    set(parkTopic, "retention.ms", "-1");
    set(parkTopic, "max.message.bytes", "10");
    AtomicInteger calls = new AtomicInteger();
    bed.publishTo(0, event("poison"), event("e2"));
    bed.publishTo(1, event("e3"), event("e4"));
    bed.start(
        consumer()
            .onAny(
                (event, tx) -> {
                  if (event.id().equals("poison")) {
                    calls.incrementAndGet();
                    throw new IllegalStateException("poison");
                  }
                  TestBed.write("billing", event, tx);
                }));
    bed.awaitCommitted("billing", 1, 2);
    await()
        .atMost(TestBed.PATIENCE)
        .until(() -> outcomes.retries().stream().anyMatch(r -> r.cost() == Cost.NOTHING));
    assertThat(bed.effects("billing")).containsExactlyInAnyOrder("e3", "e4");
    assertThat(outcomes.count("parked")).isZero();
    assertThat(bed.committed("billing", 0)).isLessThan(1);
    assertThat(outcomes.states()).contains(ConsumerState.WAITING);

    set(parkTopic, "max.message.bytes", "1000000");
    bed.awaitCommitted("billing", 0, 2);
    assertThat(bed.awaitParked("billing", 1)).hasSize(1);
    assertThat(calls).as("the handler is not called again only to park").hasValue(3);
    assertThat(bed.effects("billing")).containsExactlyInAnyOrder("e2", "e3", "e4");
    assertThat(outcomes.states()).endsWith(ConsumerState.WAITING, ConsumerState.RUNNING);
  }

  @Test
  void c67_aParkTopicThatWouldLoseWhatItGetsIsNotWrittenTo() throws Exception {
    String parkTopic = TopicNames.parked(bed.topic(), bed.group("billing"));
    bed.createTopic(parkTopic, 1);
    bed.publishTo(0, event("poison"), event("e2"));
    bed.start(
        consumer()
            .retry(RetryPolicy.never())
            .onAny(
                (event, tx) -> {
                  if (event.id().equals("poison")) {
                    throw new IllegalStateException("poison");
                  }
                }));
    await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("retry poison") >= 2);
    assertThat(outcomes.retries().get(0).cause())
        .hasMessageContaining(parkTopic + " has retention.ms=")
        .hasMessageContaining("until it is -1");
    assertThat(bed.committed("billing", 0)).isLessThan(1);
    set(parkTopic, "retention.ms", "-1");
    bed.awaitCommitted("billing", 0, 2);
    assertThat(bed.awaitParked("billing", 1)).hasSize(1);
  }

  @Test
  void c67_aParkTopicThatWasDeletedIsMadeAgainToKeepForEver() throws Exception {
    String parkTopic = TopicNames.parked(bed.topic(), bed.group("billing"));
    bed.publishTo(0, event("poison-1"));
    bed.start(
        consumer()
            .retry(RetryPolicy.never())
            .parkTimeout(Duration.ofSeconds(2))
            .onAny(
                (event, tx) -> {
                  throw new IllegalStateException(event.id());
                }));
    bed.awaitCommitted("billing", 0, 1);
    bed.admin().deleteTopics(List.of(parkTopic)).all().get();
    await().atMost(TestBed.PATIENCE).until(() -> !bed.topics().contains(parkTopic));
    bed.publishTo(0, event("poison-2"));
    bed.awaitCommitted("billing", 0, 2);
    assertThat(bed.awaitParked("billing", 1))
        .extracting(record -> TestBed.header(record, ParkedHeaders.EVENT_ID))
        .containsExactly("poison-2");
    assertThat(settings(parkTopic)).containsEntry("retention.ms", "-1");
  }

  @Test
  void c67_aParkTopicThatSomebodyElseMadeAnewIsCheckedBeforeAnythingIsTakenForParked()
      throws Exception {
    String parkTopic = TopicNames.parked(bed.topic(), bed.group("billing"));
    bed.publishTo(0, event("poison-1"));
    bed.start(
        consumer()
            .retry(RetryPolicy.never())
            .onAny(
                (event, tx) -> {
                  throw new IllegalStateException(event.id());
                }));
    bed.awaitCommitted("billing", 0, 1);
    bed.admin().deleteTopics(List.of(parkTopic)).all().get();
    await().atMost(TestBed.PATIENCE).until(() -> !bed.topics().contains(parkTopic));
    // As a broker does by itself that makes topics.
    bed.createTopic(parkTopic, 1);
    bed.publishTo(0, event("poison-2"));
    await()
        .atMost(TestBed.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(outcomes.retries())
                    .anySatisfy(
                        retry ->
                            assertThat(retry.cause())
                                .hasMessageContaining(parkTopic + " has retention.ms=")));
    assertThat(bed.committed("billing", 0)).isEqualTo(1);

    set(parkTopic, "retention.ms", "-1");
    bed.awaitCommitted("billing", 0, 2);
  }

  @Test
  void c67_attemptsAreCountedForEachEventAlone() {
    bed.publishTo(0, event("poison-a"));
    bed.publishTo(1, event("poison-b"));
    bed.start(
        consumer()
            .onAny(
                (event, tx) -> {
                  throw new IllegalStateException(event.id());
                }));
    List<ConsumerRecord<byte[], byte[]>> parked = bed.awaitParked("billing", 2);
    assertThat(parked)
        .extracting(record -> TestBed.header(record, ParkedHeaders.ATTEMPTS))
        .containsExactly("3", "3");
    assertThat(parked)
        .extracting(ConsumerRecord::partition)
        .containsOnly(parked.get(0).partition());
  }

  @Test
  void aPartitionThatBacksOffHoldsUpNoOther() {
    AtomicBoolean healed = new AtomicBoolean();
    bed.publishTo(0, event("ill"), event("e2"));
    bed.start(
        consumer()
            .workers(1)
            .retry(manyTimes())
            .onAny(
                (event, tx) -> {
                  if (event.id().equals("ill") && !healed.get()) {
                    throw new IllegalStateException("not yet");
                  }
                  TestBed.write("billing", event, tx);
                }));
    await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("retry ill") >= 1);
    bed.publishTo(1, event("e3"));
    bed.awaitCommitted("billing", 1, 1);
    assertThat(bed.effects("billing")).containsExactly("e3");
    healed.set(true);
    bed.awaitCommitted("billing", 0, 2);
    assertThat(bed.effects("billing")).containsExactly("e3", "ill", "e2");
  }

  @Test
  void aListenerThatFailsChangesNothing() {
    bed.publishTo(0, event("e1"));
    bed.start(
        consumer()
            .listener(
                new ConsumerListener() {
                  @Override
                  public void handled(Delivery delivery, Outcome.Handled outcome) {
                    throw new IllegalStateException("listener");
                  }
                })
            .listener(
                new ConsumerListener() {
                  @Override
                  public void assigned(Set<Partition> partitions) {
                    throw new AssertionError("an error on the polling thread");
                  }

                  @Override
                  public void handled(Delivery delivery, Outcome.Handled outcome) {
                    throw new NoClassDefFoundError("an error on the worker's thread");
                  }
                })
            .listener(outcomes)
            .onAny((event, tx) -> TestBed.write("billing", event, tx)));
    bed.awaitCommitted("billing", 0, 1);
    assertThat(bed.effects("billing")).containsExactly("e1");
    // The last listener hears of it although those before it failed.
    assertThat(outcomes.told()).contains("handled e1").allMatch("handled e1"::equals);
  }

  private static RetryPolicy manyTimes() {
    Duration[] delays = new Duration[1_000];
    Arrays.fill(delays, Duration.ofMillis(50));
    return RetryPolicy.after(delays);
  }

  private EventConsumer.Builder consumer() {
    return bed.consumer("billing").listener(outcomes);
  }

  private static Event version(long version) {
    return event("v" + version, "OrderChanged", "a", version);
  }

  private Map<String, String> settings(String topic) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Map<String, String> settings = new HashMap<>();
    for (Config config : bed.admin().describeConfigs(List.of(resource)).all().get().values()) {
      config.entries().forEach(entry -> settings.put(entry.name(), entry.value()));
    }
    return settings;
  }

  private void set(String topic, String name, String value) throws Exception {
    bed.admin()
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, topic),
                List.of(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }
}
