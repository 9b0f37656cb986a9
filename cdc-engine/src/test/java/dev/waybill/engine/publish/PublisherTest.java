package dev.waybill.engine.publish;

import static dev.waybill.engine.publish.Cluster.header;
import static dev.waybill.engine.route.Rows.row;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.engine.capture.Change;
import dev.waybill.engine.route.HeaderFormat;
import dev.waybill.engine.route.Route;
import dev.waybill.engine.route.RouteConfig;
import dev.waybill.engine.route.Router;
import dev.waybill.engine.route.Rows;
import dev.waybill.wire.TopicTemplate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** On a real broker that is well: what is published, parked and stored, and what is refused. */
final class PublisherTest {

  private static final Instant PARKED_AT = Instant.parse("2026-11-30T12:00:00Z");

  private static Cluster cluster;

  private final Router router =
      new Router(new RouteConfig(TopicTemplate.DEFAULT, HeaderFormat.CLOUDEVENTS, "/waybill/shop"));
  private final Seen seen = new Seen();
  private final Map<String, String> kafka = new HashMap<>();

  /** Every test has an engine and an aggregate type of its own. */
  private String name = "";

  @BeforeAll
  static void start() {
    cluster = new Cluster(Cluster.strictBroker());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void nameAfter(TestInfo test) {
    name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    kafka.put("bootstrap.servers", cluster.broker().bootstrapServers());
    kafka.put("max.block.ms", "1000");
  }

  @AfterEach
  void nothingIsLeft() {
    Cluster.requireNoClientLeft();
  }

  @Test
  void eventsArriveInOrderPerKeyWithEverythingTheyHave() throws Exception {
    createTopic(2);
    List<Rows> rows =
        IntStream.range(0, 5_000)
            .mapToObj(i -> of("e" + i).withAggregateId("A" + i % 7).withPayload("" + i))
            .toList();

    publish(OnUnpublishable.PARK, rows);

    List<ConsumerRecord<byte[], byte[]>> records = cluster.read(topic());
    assertThat(records).hasSize(5_000);
    assertThat(records.stream().map(ConsumerRecord::partition).distinct()).hasSize(2);
    for (int aggregate = 0; aggregate < 7; aggregate++) {
      String key = "A" + aggregate;
      List<String> values =
          records.stream()
              .filter(r -> new String(r.key(), UTF_8).equals(key))
              .map(r -> new String(r.value(), UTF_8))
              .toList();
      int first = aggregate;
      assertThat(values)
          .isEqualTo(
              IntStream.range(0, 5_000).filter(i -> i % 7 == first).mapToObj(i -> "" + i).toList());
    }
    assertThat(records).allMatch(r -> r.timestamp() == Rows.COMMITTED.toEpochMilli());
    assertThat(seen.published).hasSize(5_000);
    assertThat(seen.sent).isEqualTo(5_000);
  }

  @Test
  @DisplayName("C01: header, key and value bytes are UTF-8")
  void c01_bytes() throws Exception {
    createTopic(1);

    publish(
        OnUnpublishable.PARK,
        List.of(of("é1").withKey("😀").withPayload("\"😀é\"").withHeaders("{\"h\":\"😀é'\"}")));

    ConsumerRecord<byte[], byte[]> record = cluster.read(topic()).get(0);
    assertThat(record.key()).asHexString().isEqualTo("F09F9880");
    assertThat(record.value()).asHexString().isEqualTo("22F09F9880C3A922");
    assertThat(record.headers().lastHeader("h").value()).asHexString().isEqualTo("F09F9880C3A927");
    assertThat(record.headers().lastHeader("ce_id").value()).asHexString().isEqualTo("C3A931");
  }

  @Test
  @DisplayName("C07: NULL is a tombstone with key and headers, empty and blank are values")
  void c07_tombstone() throws Exception {
    createTopic(1);

    publish(
        OnUnpublishable.PARK,
        List.of(
            of("e1").withPayload(null),
            of("e2").withPayload(""),
            of("e3").withPayload(" "),
            of("e4").withPayload("null")));

    List<ConsumerRecord<byte[], byte[]>> records = cluster.read(topic());
    assertThat(records).extracting(ConsumerRecord::value).first().isNull();
    assertThat(records.get(0).key()).isEqualTo("A".getBytes(UTF_8));
    assertThat(header(records.get(0), "ce_id")).isEqualTo("e1");
    assertThat(records.subList(1, 4).stream().map(r -> new String(r.value(), UTF_8)))
        .containsExactly("", " ", "null");
  }

  @Test
  void theEnginesOwnTopicsAreMadeSoThatNothingExpires() throws Exception {
    try (Publisher publisher = open(OnUnpublishable.PARK)) {
      assertThat(publisher.readProgress()).isNull();
    }
    assertThat(cluster.partitions(progress())).isEqualTo(1);
    assertThat(cluster.config(progress(), "cleanup.policy")).isEqualTo("compact");
    assertThat(cluster.partitions(parked())).isEqualTo(1);
    assertThat(cluster.config(parked(), "cleanup.policy")).isEqualTo("delete");
    assertThat(cluster.config(parked(), "retention.ms")).isEqualTo("-1");
    assertThat(cluster.config(parked(), "retention.bytes")).isEqualTo("-1");
  }

  @Test
  void aTopicOfItsOwnThatWouldForgetIsRefusedUntilItIsMended() throws Exception {
    cluster.create(progress(), 1, Map.of("cleanup.policy", "delete"));
    assertThatThrownBy(() -> open(OnUnpublishable.PARK))
        .isInstanceOf(BrokerUnavailableException.class)
        .hasMessageContaining(progress())
        .hasMessageContaining("cleanup.policy");

    cluster.configure(progress(), "cleanup.policy", "compact");
    await().untilAsserted(() -> open(OnUnpublishable.PARK).close());
  }

  @Test
  void aProgressTopicOfTwoPartitionsIsRefused() {
    cluster.create(progress(), 2, Map.of("cleanup.policy", "compact"));

    assertThatThrownBy(() -> open(OnUnpublishable.PARK))
        .isInstanceOf(BrokerUnavailableException.class)
        .hasMessageContaining("2 partitions");
  }

  @Test
  void theNewestProgressIsRead() throws Exception {
    Progress initialising =
        new Progress(Progress.Phase.INITIALISING, Map.of("system", "7"), Map.of());
    try (Publisher publisher = open(OnUnpublishable.PARK)) {
      publisher.storeProgress(initialising);
      assertThat(publisher.readProgress()).isEqualTo(initialising);
      for (int i = 0; i < 40; i++) {
        publisher.storeProgress(at(i));
      }
      assertThat(publisher.readProgress()).isEqualTo(at(39));
    }
    try (Publisher next = open(OnUnpublishable.PARK)) {
      assertThat(next.readProgress()).isEqualTo(at(39));
    }
  }

  @Test
  void progressOfAbortedTransactionsIsNotSeen() throws Exception {
    try (Publisher publisher = open(OnUnpublishable.PARK)) {
      publisher.storeProgress(at(1));
      abort(100, ProgressFormat.write(at(2), 1));
      assertThat(publisher.readProgress()).isEqualTo(at(1));
    }
  }

  @Test
  void progressOfAnEngineThatWasReplacedDoesNotCount() throws Exception {
    try (Publisher frozen = open(OnUnpublishable.PARK);
        Publisher replacing = open(OnUnpublishable.PARK)) {
      frozen.storeProgress(at(1));
      assertThat(replacing.readProgress()).isEqualTo(at(1));
      frozen.storeProgress(at(2));
      assertThat(replacing.readProgress()).isEqualTo(at(2));
      for (int i = 3; i < 6; i++) {
        replacing.storeProgress(at(i));
      }
      // As far as it had read ahead.
      for (int i = 0; i < 40; i++) {
        frozen.storeProgress(at(2));
      }
    }
    try (Publisher next = open(OnUnpublishable.PARK)) {
      assertThat(next.readProgress()).isEqualTo(at(5));
      next.storeProgress(at(6));
      assertThat(next.readProgress()).isEqualTo(at(6));
    }
  }

  @Test
  void progressOfAFormerTopicOfTheSameNameDoesNotOutweighThatOfThisOne() throws Exception {
    try (Publisher publisher = open(OnUnpublishable.PARK)) {
      write(progress(), "progress".getBytes(UTF_8), ProgressFormat.write(at(1), 4711));
      assertThat(publisher.readProgress()).isEqualTo(at(1));
      publisher.storeProgress(at(2));
      assertThat(publisher.readProgress()).isEqualTo(at(2));
    }
  }

  @Test
  void progressThatWasTakenAwayIsNone() throws Exception {
    try (Publisher publisher = open(OnUnpublishable.PARK)) {
      publisher.storeProgress(at(1));
      write(progress(), "progress".getBytes(UTF_8), null);
      assertThat(publisher.readProgress()).isNull();
      publisher.storeProgress(at(2));
      assertThat(publisher.readProgress()).isEqualTo(at(2));
    }
  }

  @Test
  void progressSurvivesCompaction() throws Exception {
    // Segments end by the time of their records.
    try (Publisher publisher = broker(OnUnpublishable.PARK, Clock.systemUTC()).open()) {
      cluster.configure(progress(), "segment.ms", "1");
      cluster.configure(progress(), "min.cleanable.dirty.ratio", "0");
      for (int i = 0; i < 300; i++) {
        publisher.storeProgress(at(i));
      }
      await().atMost(Duration.ofSeconds(60)).until(() -> cluster.read(progress()).size() < 100);
      assertThat(publisher.readProgress()).isEqualTo(at(299));
    }
  }

  @Test
  void progressOfANewerVersionIsRefused() throws Exception {
    try (Publisher publisher = open(OnUnpublishable.PARK)) {
      write(progress(), "progress".getBytes(UTF_8), "{\"version\":2}".getBytes(UTF_8));
      assertThatThrownBy(publisher::readProgress)
          .isInstanceOf(ProgressUnreadableException.class)
          .hasMessageContaining("version 2")
          .hasMessageContaining(progress());
    }
  }

  @Test
  void progressThatIsNoneIsRefused() throws Exception {
    try (Publisher publisher = open(OnUnpublishable.PARK)) {
      write(progress(), "progress".getBytes(UTF_8), "garbage".getBytes(UTF_8));
      assertThatThrownBy(publisher::readProgress).isInstanceOf(ProgressUnreadableException.class);
    }
  }

  @Test
  @DisplayName("C24: an event that cannot be routed is parked with all it had")
  void c24_parked() throws Exception {
    Rows bad = of("e1").withTopic("no topic").withHeaders("{\"tenant\":\"ü\"}").withRowId("17");

    publish(OnUnpublishable.PARK, List.of(bad));

    ConsumerRecord<byte[], byte[]> record = cluster.read(parked()).get(0);
    assertThat(record.key()).isEqualTo("A".getBytes(UTF_8));
    assertThat(record.value()).isEqualTo("{\"a\":1}".getBytes(UTF_8));
    assertThat(record.timestamp()).isEqualTo(PARKED_AT.toEpochMilli());
    assertThat(header(record, "ce_id")).isEqualTo("e1");
    assertThat(header(record, "tenant")).isEqualTo("ü");
    assertThat(header(record, "waybill_parked_reason")).contains("U+0020");
    assertThat(header(record, "waybill_parked_row_id")).isEqualTo("17");
    assertThat(header(record, "waybill_parked_event_id")).isEqualTo("e1");
    assertThat(header(record, "waybill_parked_table")).isEqualTo("public.outbox_event");
    assertThat(header(record, "waybill_parked_topic")).isEqualTo("no topic");
    assertThat(header(record, "waybill_parked_at")).isEqualTo("2026-11-30T12:00:00Z");
    assertThat(record.headers().lastHeader("waybill_parked_value_left_out")).isNull();
    assertThat(seen.parked).containsExactly("e1");
    assertThat(seen.published).isEmpty();
  }

  @Test
  @DisplayName("C24: a topic that cannot be made beside another one is a reason to park")
  void c24_collidingTopic() throws Exception {
    createTopic(1);
    cluster.create("events.line.item", 1, Map.of());

    publish(
        OnUnpublishable.PARK,
        List.of(
            of("e1"),
            of("e2").withTopic("events.line_item"),
            of("e3").withTopic("events.line.item")));

    assertThat(seen.published).containsExactly("e1", "e3");
    assertThat(seen.parked).containsExactly("e2");
    ConsumerRecord<byte[], byte[]> record = cluster.read(parked()).get(0);
    assertThat(header(record, "waybill_parked_topic")).isEqualTo("events.line_item");
    assertThat(header(record, "waybill_parked_reason")).contains("events.line.item");
  }

  @Test
  void withStopEverythingBeforeTheBadRowIsPublishedAndNothingBehind() throws Exception {
    createTopic(1);

    assertThatThrownBy(
            () ->
                publish(
                    OnUnpublishable.STOP,
                    List.of(of("e1"), of("e2").withHeaders("[]").withRowId("18"), of("e3"))))
        .isInstanceOf(UnpublishableException.class)
        .hasMessageContaining("event e2 (row 18 of public.outbox_event)")
        .hasMessageContaining("headers is not a JSON object");

    assertThat(ids(topic())).containsExactly("e1");
    assertThat(cluster.read(parked())).isEmpty();
  }

  @Test
  @DisplayName("C13: an event larger than its topic takes is parked while others flow")
  void c13_topicLimit() throws Exception {
    createTopic(1, Map.of("max.message.bytes", "2000"));

    publish(
        OnUnpublishable.PARK, List.of(of("e1"), of("e2").withPayload("x".repeat(3_000)), of("e3")));

    assertThat(ids(topic())).containsExactly("e1", "e3");
    ConsumerRecord<byte[], byte[]> parked = cluster.read(parked()).get(0);
    assertThat(header(parked, "ce_id")).isEqualTo("e2");
    assertThat(header(parked, "waybill_parked_reason")).contains("max.message.bytes", "2000");
    assertThat(parked.value()).hasSize(3_000);
  }

  @Test
  @DisplayName("C13: a limit that an operator raises is noticed before the next event is parked")
  void c13_limitRaised() throws Exception {
    createTopic(1, Map.of("max.message.bytes", "2000"));
    Ticking clock = new Ticking();
    Broker broker = broker(OnUnpublishable.PARK, clock);
    try (Publisher publisher = broker.open()) {
      publisher.publish(routes(List.of(of("e1").withPayload("x".repeat(3_000)))));
      cluster.limit(topic(), 5_000, 3_500, true);
      clock.now = clock.now.plusSeconds(60);
      publisher.publish(routes(List.of(of("e2").withPayload("x".repeat(3_000)))));
    }

    assertThat(ids(parked())).containsExactly("e1");
    assertThat(ids(topic())).containsExactly("e2");
  }

  @Test
  @DisplayName("C13: a value that the parked topic does not take either is left out and marked")
  void c13_valueLeftOut() throws Exception {
    createTopic(1);

    publish(
        OnUnpublishable.PARK, List.of(of("e1").withPayload(incompressible(1_200_000)), of("e2")));

    assertThat(ids(topic())).containsExactly("e2");
    ConsumerRecord<byte[], byte[]> parked = cluster.read(parked()).get(0);
    assertThat(parked.value()).isNull();
    assertThat(header(parked, "waybill_parked_value_left_out")).isEqualTo("1200000");
    assertThat(header(parked, "ce_id")).isEqualTo("e1");
  }

  @Test
  @DisplayName("C13: an event whose headers alone are too large is parked without them")
  void c13_headersLeftOut() throws Exception {
    createTopic(1);

    publish(
        OnUnpublishable.PARK,
        List.of(of("e1").withHeaders("{\"h\":\"" + "x".repeat(1_200_000) + "\"}")));

    ConsumerRecord<byte[], byte[]> parked = cluster.read(parked()).get(0);
    assertThat(parked.headers().lastHeader("h")).isNull();
    assertThat(header(parked, "waybill_parked_headers_left_out")).isEqualTo("11");
    assertThat(header(parked, "waybill_parked_event_id")).isEqualTo("e1");
  }

  @Test
  @DisplayName("C13: the producer's own limit counts, too, and is named")
  void c13_producerLimit() throws Exception {
    createTopic(1, Map.of("max.message.bytes", "900000"));
    kafka.put("max.request.size", "5000");

    publish(OnUnpublishable.PARK, List.of(of("e1").withPayload("x".repeat(5_000)), of("e2")));

    assertThat(ids(topic())).containsExactly("e2");
    assertThat(header(cluster.read(parked()).get(0), "waybill_parked_reason"))
        .contains("max.request.size");
  }

  @Test
  @DisplayName("C13: whatever is sent because it should fit, the producer and the broker take")
  void c13_exactSize() throws Exception {
    for (String compression : List.of("none", "lz4", "zstd", "gzip", "snappy")) {
      kafka.put("compression.type", compression);
      String topic = "exact." + compression;
      cluster.create(topic, 1, Map.of("max.message.bytes", "100000"));
      List<Rows> rows = new ArrayList<>();
      for (int size = 98_600; size < 99_800; size += 13) {
        rows.add(of(compression + size).withTopic(topic).withPayload(incompressible(size)));
      }

      publish(OnUnpublishable.PARK, rows);
    }

    assertThat(ids("exact.none")).hasSizeGreaterThan(50);
    assertThat(seen.parked).isNotEmpty();
    assertThat(seen.parked.size() + seen.published.size()).isEqualTo(5 * 93);
  }

  @Test
  @DisplayName("C13: with a limit lowered behind our back, what is too large is parked, no other")
  void c13_limitLowered() throws Exception {
    createTopic(1);
    List<Rows> rows =
        List.of(
            of("e2"),
            of("e3").withPayload(incompressible(3_000)),
            of("e4").withPayload(incompressible(2_500)),
            of("e5"));
    try (Publisher publisher = broker(OnUnpublishable.PARK, new Ticking()).open()) {
      publisher.publish(routes(List.of(of("e1"))));
      cluster.limit(topic(), 2_000, 2_500, false);
      publisher.publish(routes(rows));
    }

    assertThat(ids(parked())).containsExactly("e3", "e4");
    assertThat(header(cluster.read(parked()).get(1), "waybill_parked_reason"))
        .contains("max.message.bytes of the topic is 2000");
    assertThat(ids(topic())).containsExactly("e1", "e2", "e5");
    assertThat(seen.published).containsExactly("e1", "e2", "e5");
  }

  @Test
  @DisplayName("C13: a limit that may not be read is learnt from the broker's refusal")
  void c13_limitUnreadable() throws Exception {
    createTopic(1, Map.of("max.message.bytes", "2000"));
    cluster.allowOnly(topic(), AclOperation.WRITE, AclOperation.DESCRIBE, AclOperation.READ);

    publish(OnUnpublishable.PARK, List.of(of("e1").withPayload(incompressible(3_000)), of("e2")));

    assertThat(ids(parked())).containsExactly("e1");
    assertThat(ids(topic())).containsExactly("e2");
  }

  @Test
  @DisplayName("C27: a topic that takes less than a batch gets smaller ones, in order")
  void c27_splitBatches() throws Exception {
    createTopic(1, Map.of("max.message.bytes", "10000"));
    List<Rows> rows =
        IntStream.range(0, 2_000)
            .mapToObj(i -> of("e" + i).withPayload(incompressible(500)))
            .toList();

    publish(OnUnpublishable.PARK, rows);

    assertThat(ids(topic())).isEqualTo(rows.stream().map(Rows::eventId).toList());
  }

  @Test
  @DisplayName("C25: a missing topic is named and waited for, and nothing of the batch is sent")
  void c25_missingTopic() throws Exception {
    createTopic(1);
    Broker broker = broker(OnUnpublishable.PARK, new Ticking());
    String missing = "events.not-yet-there";
    String another = "events.nor-this-one";
    List<Route> batch =
        routes(
            List.of(
                of("e1"),
                of("e2").withTopic(missing).withRowId("19"),
                of("e3"),
                of("e4").withTopic(another)));

    try (Publisher publisher = broker.open()) {
      assertThatThrownBy(() -> publisher.publish(batch))
          .isInstanceOf(BrokerUnavailableException.class)
          .hasMessageContaining(missing)
          .hasMessageContaining("does not exist")
          .hasMessageContaining("event e2 (row 19 of public.outbox_event)")
          .hasMessageContaining(another);
    }
    assertThatThrownBy(broker::open)
        .isInstanceOf(BrokerUnavailableException.class)
        .hasMessageContaining(missing)
        .hasMessageContaining("event e2");

    cluster.create(missing, 1, Map.of());
    cluster.create(another, 1, Map.of());
    try (Publisher next = broker.open()) {
      next.publish(batch);
    }
    assertThat(ids(topic())).containsExactly("e1", "e3");
    assertThat(ids(missing)).containsExactly("e2");
  }

  @Test
  void aForbiddenTopicIsNamedAndWaitedFor() throws Exception {
    createTopic(1);
    cluster.allowOnly(topic(), AclOperation.READ, AclOperation.DESCRIBE);
    Broker broker = broker(OnUnpublishable.PARK, new Ticking());
    List<Route> batch = routes(List.of(of("e1")));

    try (Publisher publisher = broker.open()) {
      assertThatThrownBy(() -> publisher.publish(batch))
          .isInstanceOf(BrokerUnavailableException.class)
          .hasMessageContaining("may not write to topic " + topic())
          .hasMessageContaining("event e1");
    }
    assertThatThrownBy(broker::open).hasMessageContaining("may not write");

    cluster.allowAll(topic());
    try (Publisher next = broker.open()) {
      next.publish(batch);
    }
    assertThat(ids(topic())).containsExactly("e1");
    assertThat(cluster.read(parked())).isEmpty();
  }

  @Test
  void aPermissionThatIsTakenAwayIsNamed() throws Exception {
    createTopic(1);
    Broker broker = broker(OnUnpublishable.PARK, new Ticking());
    try (Publisher publisher = broker.open()) {
      publisher.publish(routes(List.of(of("e1"))));
      cluster.allowOnly(topic(), AclOperation.READ, AclOperation.DESCRIBE);
      assertThatThrownBy(() -> publisher.publish(routes(List.of(of("e2")))))
          .isInstanceOf(BrokerUnavailableException.class)
          .hasMessageContaining("may not write")
          .hasMessageContaining("event e2");
    }
    assertThatThrownBy(broker::open).hasMessageContaining(topic());
  }

  @Test
  void whatTheBrokerRefusesIsParkedOnceAndTheOthersArriveOnceAndInOrder() throws Exception {
    createTopic(2, Map.of("message.timestamp.before.max.ms", "3600000"));
    cluster.create("events.beside." + name, 1, Map.of());
    List<Route> batch = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      Rows row = of("e" + i).withAggregateId("A" + i % 5).withPayload(incompressible(1_000));
      batch.add(i % 100 == 99 ? route(row) : routeNow(row));
      batch.add(route(of("b" + i).withTopic("events.beside." + name)));
    }

    try (Publisher publisher = open(OnUnpublishable.PARK)) {
      publisher.publish(batch);
      publisher.publish(List.of(routeNow(of("last").withAggregateId("A0"))));
    }

    assertThat(ids(parked())).containsExactlyInAnyOrder("e99", "e199", "e299", "e399");
    assertThat(header(cluster.read(parked()).get(0), "waybill_parked_reason"))
        .contains("topic events." + name + " refuses it, with the time 2026-03-29T01:30:01.987Z")
        .contains("out of range");
    assertThat(seen.parked).containsExactly("e99", "e199", "e299", "e399");
    for (int aggregate = 0; aggregate < 5; aggregate++) {
      int remainder = aggregate;
      assertThat(idsOf("A" + aggregate))
          .filteredOn(id -> !id.equals("last"))
          .isEqualTo(
              IntStream.range(0, 400)
                  .filter(i -> i % 5 == remainder && i % 100 != 99)
                  .mapToObj(i -> "e" + i)
                  .toList());
    }
    assertThat(idsOf("A0")).endsWith("last");
    assertThat(ids("events.beside." + name)).hasSize(400);
    assertThat(seen.published).hasSize(400 + 396 + 1);
  }

  @Test
  void withStopEverythingBeforeWhatTheBrokerRefusesIsPublishedAndNothingOfItsKeyBehind()
      throws Exception {
    createTopic(1, Map.of("message.timestamp.before.max.ms", "3600000"));
    List<Route> batch =
        List.of(routeNow(of("e1")), route(of("e2")), routeNow(of("e3")), route(of("e4")));

    try (Publisher publisher = open(OnUnpublishable.STOP)) {
      assertThatThrownBy(() -> publisher.publish(batch))
          .isInstanceOf(UnpublishableException.class)
          .hasMessageContaining("event e2 ")
          .hasMessageContaining("out of range");
    }

    assertThat(ids(topic())).containsExactly("e1");
    assertThat(cluster.read(parked())).isEmpty();
  }

  @Test
  void whereTheBrokerRefusesManyAndNamesNoneTheyAreTriedOneByOne() throws Exception {
    kafka.put("batch.size", "3000000");
    kafka.put("compression.type", "none");
    createTopic(1, Map.of("max.message.bytes", "4000000", "segment.bytes", "1048576"));
    List<Rows> rows =
        List.of(
            of("e1").withPayload(incompressible(600_000)),
            of("e2").withPayload(incompressible(600_000)),
            of("e3").withPayload(incompressible(1_200_000)),
            of("e4"));

    publish(OnUnpublishable.PARK, rows);

    assertThat(ids(topic())).containsExactly("e1", "e2", "e4");
    assertThat(ids(parked())).containsExactly("e3");
    assertThat(header(cluster.read(parked()).get(0), "waybill_parked_reason"))
        .contains("segment size");
  }

  @Test
  void aParkedTopicThatRefusesIsWaitedFor() throws Exception {
    try (Publisher publisher = open(OnUnpublishable.PARK)) {
      cluster.configure(parked(), "message.timestamp.before.max.ms", "1000");
      await()
          .untilAsserted(
              () ->
                  assertThat(cluster.config(parked(), "message.timestamp.before.max.ms"))
                      .isEqualTo("1000"));
      assertThatThrownBy(() -> publisher.publish(routes(List.of(of("e1").withTopic("no topic")))))
          .isInstanceOf(BrokerUnavailableException.class)
          .hasMessageContaining("event e1")
          .hasMessageContaining(parked());
    }
  }

  @Test
  void whatAnObserverThrowsFailsTheBatch() throws Exception {
    createTopic(1);
    seen.failure = new IllegalStateException("crash point");

    assertThatThrownBy(() -> publish(OnUnpublishable.PARK, List.of(of("e1"))))
        .isSameAs(seen.failure);
  }

  @Test
  void closingTwiceAndAfterwardsIsHarmless() throws Exception {
    Publisher publisher = open(OnUnpublishable.PARK);
    publisher.close();
    publisher.close();

    assertThatThrownBy(() -> publisher.storeProgress(at(1)))
        .isInstanceOf(IllegalStateException.class);
  }

  private void createTopic(int partitions) {
    createTopic(partitions, Map.of());
  }

  private void createTopic(int partitions, Map<String, String> configs) {
    cluster.create(topic(), partitions, configs);
  }

  private String topic() {
    return "events." + name;
  }

  private String progress() {
    return "waybill." + engine() + ".progress";
  }

  private String parked() {
    return "waybill." + engine() + ".parked";
  }

  private String engine() {
    return name.length() <= 40 ? name : name.substring(0, 40);
  }

  private Rows of(String eventId) {
    return row(eventId).withAggregateType(name);
  }

  private List<Route> routes(List<Rows> rows) {
    return rows.stream().map(row -> router.route(row.change())).toList();
  }

  private Route route(Rows row) {
    return router.route(row.change());
  }

  /** Committed in this moment. */
  private Route routeNow(Rows row) {
    Change change = row.change();
    return router.route(new Change(change.table(), change.row(), Instant.now()));
  }

  private List<String> idsOf(String key) {
    return cluster.read(topic()).stream()
        .filter(record -> new String(record.key(), UTF_8).equals(key))
        .map(record -> header(record, "ce_id"))
        .toList();
  }

  private List<String> ids(String topic) {
    return cluster.read(topic).stream()
        .map(record -> header(record, "ce_id"))
        .filter(id -> !id.isEmpty())
        .toList();
  }

  private Broker broker(OnUnpublishable policy, Clock clock) {
    PublishConfig config =
        new PublishConfig(
            engine(),
            kafka,
            policy,
            PublishConfig.BROKER_DEFAULT,
            PublishConfig.DEFAULT_KEEP_ALIVE);
    return new Broker(config, seen, clock);
  }

  private Publisher open(OnUnpublishable policy) throws InterruptedException {
    return broker(policy, Clock.fixed(PARKED_AT, ZoneOffset.UTC)).open();
  }

  private void publish(OnUnpublishable policy, List<Rows> rows) throws InterruptedException {
    try (Publisher publisher = open(policy)) {
      publisher.publish(routes(rows));
    }
  }

  private static Progress at(int i) {
    return new Progress(
        Progress.Phase.STREAMING, Map.of("system", "7"), Map.of("lsn", "0/" + i, "xid", "" + i));
  }

  /** Text that no codec makes shorter than three quarters, and the ASCII kind of it that is 1:1. */
  private static String incompressible(int bytes) {
    Random random = new Random(bytes);
    StringBuilder text = new StringBuilder(bytes);
    for (int i = 0; i < bytes; i++) {
      text.append((char) (32 + random.nextInt(95)));
    }
    return text.toString();
  }

  private void write(String topic, byte[] key, byte @Nullable [] value) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
      producer.send(new ProducerRecord<>(topic, key, value)).get();
    }
  }

  private void abort(int records, byte[] value) {
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("transactional.id", name))) {
      producer.initTransactions();
      producer.beginTransaction();
      for (int i = 0; i < records; i++) {
        var unused = producer.send(new ProducerRecord<>(progress(), value));
      }
      producer.flush();
      producer.abortTransaction();
    }
  }

  private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
    Map<String, Object> properties = new HashMap<>(more);
    properties.put("bootstrap.servers", cluster.broker().bootstrapServers());
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** What the publisher told. */
  private static final class Seen implements PublishObserver {

    final List<String> published = new ArrayList<>();
    final List<String> parked = new ArrayList<>();
    int sent;
    @Nullable RuntimeException failure;

    @Override
    public void sent(int records) {
      sent += records;
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public void published(Change change) {
      published.add(String.valueOf(change.row().eventId()));
    }

    @Override
    public void parked(Change change, String reason) {
      parked.add(String.valueOf(change.row().eventId()));
    }
  }

  /** A clock that moves when it is told to. */
  private static final class Ticking extends Clock {

    Instant now = PARKED_AT;

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }
}
