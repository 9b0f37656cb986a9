package dev.waybill.engine.route;

import static dev.waybill.engine.route.Rows.row;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.waybill.engine.capture.Change;
import dev.waybill.wire.TopicTemplate;
import dev.waybill.wire.WireHeader;
import dev.waybill.wire.WireRecord;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EmptySource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RouterTest {

  private final Router router =
      new Router(new RouteConfig(TopicTemplate.DEFAULT, HeaderFormat.CLOUDEVENTS, "/waybill/shop"));
  private final Router likeDebezium =
      new Router(new RouteConfig(TopicTemplate.DEBEZIUM, HeaderFormat.DEBEZIUM, "/waybill/shop"));

  @Test
  void anEventBecomesARecordOfTheWire() {
    WireRecord record = published(router, row("e1").withHeaders("{\"tenant\":\"acme\"}"));

    assertThat(record.topic()).isEqualTo("events.order");
    assertThat(record.key()).isEqualTo("A".getBytes(UTF_8));
    assertThat(record.value()).isEqualTo("{\"a\":1}".getBytes(UTF_8));
    assertThat(record.timestamp()).isEqualTo(Rows.COMMITTED.toEpochMilli());
    assertThat(texts(record.headers()))
        .containsExactly(
            entry("ce_specversion", "1.0"),
            entry("ce_id", "e1"),
            entry("ce_source", "/waybill/shop"),
            entry("ce_type", "OrderPaid"),
            entry("ce_subject", "A"),
            entry("ce_time", "2026-03-29T01:30:00.123456Z"),
            entry("content-type", "application/json"),
            entry("ce_aggregatetype", "order"),
            entry("ce_aggregateversion", "7"),
            entry("ce_eventversion", "2"),
            entry("tenant", "acme"));
  }

  @Test
  void theHeadersOfDebeziumsRouterAreWrittenInstead() {
    WireRecord record = published(likeDebezium, row("e1").withHeaders("{\"tenant\":\"acme\"}"));

    assertThat(record.topic()).isEqualTo("outbox.event.order");
    assertThat(texts(record.headers()))
        .containsExactly(
            entry("id", "e1"), entry("eventType", "OrderPaid"), entry("tenant", "acme"));
  }

  @Test
  void theRowsOwnTopicAndKeyComeFirst() {
    WireRecord record = published(router, row("e1").withTopic("audit").withKey("customer-7"));

    assertThat(record.topic()).isEqualTo("audit");
    assertThat(record.key()).isEqualTo("customer-7".getBytes(UTF_8));
    assertThat(texts(record.headers())).containsEntry("ce_subject", "A");
  }

  @Test
  @DisplayName("C05, C06: the payload's bytes are the value, whatever they are")
  void c05c06PayloadBytesAreKept() {
    for (String payload :
        List.of(
            "{\"tags\":[]}",
            "{\"b\":1,\"a\":2.50,\"a\":1e3}",
            "  {\"a\":1}",
            "\"text\"",
            "",
            " ",
            "null")) {
      WireRecord record = published(router, row("e1").withPayload(payload));
      assertThat(record.value()).isEqualTo(payload.getBytes(UTF_8));
    }
  }

  @Test
  @DisplayName("C07: a NULL payload is a tombstone with key and headers, an empty one is not")
  void c07NullIsATombstone() {
    WireRecord record = published(router, row("e1").withPayload(null));

    assertThat(record.value()).isNull();
    assertThat(record.key()).isEqualTo("A".getBytes(UTF_8));
    assertThat(texts(record.headers())).containsEntry("ce_id", "e1");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = "")
  @DisplayName("C08: without a key there is no order, so the event is parked")
  void c08NoKeyIsParked(String none) {
    assertThat(parked(router, row("e1").withAggregateId(none)).reason()).contains("aggregate_id");
    assertThat(published(router, row("e1").withAggregateId(none).withKey("k")).key())
        .isEqualTo("k".getBytes(UTF_8));
  }

  @Test
  @DisplayName("C08: an event_key that is empty does not fall back to the aggregate")
  void c08EmptyEventKeyIsParked() {
    assertThat(parked(router, row("e1").withKey("")).reason()).contains("event_key is empty");
  }

  @Test
  @DisplayName("C11: without a time of its own the event gets the commit's, to the microsecond")
  void c11CommitTimeStandsIn() {
    WireRecord record = published(router, row("e1").withOccurredAt(null));

    assertThat(texts(record.headers())).containsEntry("ce_time", "2026-03-29T01:30:01.987654Z");
  }

  @Test
  @DisplayName("C11: a time that RFC 3339 cannot write is left out")
  void c11TimeBeyondYear9999() {
    WireRecord record =
        published(router, row("e1").withOccurredAt(Instant.parse("+12026-01-01T00:00:00Z")));

    assertThat(texts(record.headers())).doesNotContainKey("ce_time");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Dont care", "a/b", "ü", "", "x\u0000", "😀"})
  @NullSource
  @DisplayName("C24: an aggregate type that makes no legal topic is parked, never rewritten")
  void c24IllegalAggregateType(String type) {
    Route.Park park = parked(router, row("e1").withAggregateType(type));

    assertThat(park.reason()).contains("aggregate_type");
    assertThat(park.topic()).isEqualTo(type == null ? null : "events." + type);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Dont care", "a/b", "ü", "", ".", ".."})
  @DisplayName("C24: a topic override that is not legal is parked, never rewritten")
  void c24IllegalTopic(String topic) {
    assertThat(parked(router, row("e1").withTopic(topic)).reason()).startsWith("topic ");
  }

  @Test
  @DisplayName("an event that would pass for an engine's progress is parked")
  void anotherEnginesTopic() {
    assertThat(parked(router, row("e1").withTopic("waybill.shop.progress")).reason())
        .isEqualTo(
            "topic 'waybill.shop.progress' begins with 'waybill.', as only Waybill's own topics do");
    RouteConfig bare =
        new RouteConfig(
            TopicTemplate.parse("{aggregate_type}"), HeaderFormat.CLOUDEVENTS, "/waybill/shop");
    assertThat(
            parked(new Router(bare), row("e1").withAggregateType("waybill.shop.parked")).reason())
        .startsWith("the topic of aggregate_type 'waybill.shop.parked' ");
  }

  @Test
  @DisplayName("C24: the longest legal topic is published to, one character more is parked")
  void c24LongTopic() {
    assertThat(published(router, row("e1").withTopic("t".repeat(249))).topic()).hasSize(249);
    assertThat(parked(router, row("e1").withTopic("t".repeat(250))).reason()).contains("250");
    assertThat(parked(router, row("e1").withAggregateType("t".repeat(243))).reason())
        .contains("250");
  }

  @Test
  @DisplayName("C24: types that differ in case or punctuation never share a topic")
  void c24TypesNeverMerge() {
    List<String> topics =
        List.of("Order", "order", "a.b", "a_b").stream()
            .map(type -> published(router, row("e1").withAggregateType(type)).topic())
            .toList();

    assertThat(topics).containsExactly("events.Order", "events.order", "events.a.b", "events.a_b");
  }

  @Test
  void aFixedTopicNeedsNoAggregateType() {
    Router fixed =
        new Router(
            new RouteConfig(TopicTemplate.parse("all"), HeaderFormat.CLOUDEVENTS, "/waybill/shop"));

    assertThat(published(fixed, row("e1").withAggregateType(null)).topic()).isEqualTo("all");
  }

  @Test
  void moreAggregateTypesThanAreRemembered() {
    for (int i = 0; i < 2_500; i++) {
      String type = "t" + i % 1_250;
      assertThat(published(router, row("e1").withAggregateType(type)).topic())
          .isEqualTo("events." + type);
    }
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " "})
  void withoutAnEventIdItIsParked(String id) {
    Route.Park park = parked(router, row("e1").withEventId(id));

    assertThat(park.reason()).startsWith("event_id is");
    assertThat(texts(park.headers())).containsEntry("ce_type", "OrderPaid");
  }

  @Test
  @DisplayName("C58: an event id is at most 64 characters, counted as the database counts")
  void c58LongEventId() {
    assertThat(published(router, row("😀".repeat(64))).key()).isNotNull();
    assertThat(parked(router, row("😀".repeat(65))).reason()).contains("65");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"ce_id\":\"x\"}",
        "{\"ce_anything\":\"x\"}",
        "{\"content-type\":\"x\"}",
        "[]",
        "\"text\"",
        "1",
        "",
        "{\"n\":1}",
        "{\"n\":null}",
        "{\"n\":{}}",
        "{\"n\":[[[[1]]]]}",
        "{\"n\":\"a\"",
        "{\"n\":\"a\"} {}",
        "{\"n\":\"\\ud83d\"}",
        "{\"\\ude00\":\"x\"}",
      })
  void headersThatCannotBeWrittenAreParkedWithTheirText(String headers) {
    Route.Park park = parked(router, row("e1").withHeaders(headers));

    assertThat(park.reason()).startsWith("headers ");
    assertThat(texts(park.headers()))
        .containsEntry("ce_id", "e1")
        .containsEntry("waybill_parked_row_headers", headers);
  }

  @Test
  void headersAreNeverTooLongOrTooDeepToBeRead() {
    String text = "x".repeat(StreamReadConstraints.DEFAULT_MAX_STRING_LEN + 1);
    String name = "n".repeat(StreamReadConstraints.DEFAULT_MAX_NAME_LEN + 1);
    String number = "1".repeat(StreamReadConstraints.DEFAULT_MAX_NUM_LEN + 1);
    String deep = "[".repeat(StreamReadConstraints.DEFAULT_MAX_DEPTH + 1);

    Rows large = row("e1").withHeaders("{\"" + name + "\":\"" + text + "\"}");
    assertThat(texts(published(router, large).headers())).containsEntry(name, text);
    for (String wrong : List.of(number, deep)) {
      assertThat(parked(router, row("e1").withHeaders("{\"n\":" + wrong + "}")).reason())
          .isEqualTo("headers has 'n', which is not a string");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"id\":\"x\"}", "{\"eventType\":\"x\"}", "{\"ce_id\":\"x\"}"})
  void theHeadersOfDebeziumsRouterAreReservedWhereTheyAreWritten(String headers) {
    assertThat(parked(likeDebezium, row("e1").withHeaders(headers)).reason()).contains("only");
  }

  @ParameterizedTest
  @NullSource
  @EmptySource
  void aCloudEventHasAType(@Nullable String none) {
    Change change = row("e1").changeOfType(none);

    assertThat(router.route(change))
        .isInstanceOfSatisfying(
            Route.Park.class,
            park ->
                assertThat(park.reason())
                    .isEqualTo(
                        "event_type is %s, and CloudEvents requires one"
                            .formatted(none == null ? "NULL" : "empty")));
    assertThat(likeDebezium.route(change)).isInstanceOf(Route.Publish.class);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"null", "{}", " {} "})
  void noHeadersAreNoProblem(String headers) {
    assertThat(published(router, row("e1").withHeaders(headers)).headers()).hasSize(10);
  }

  @Test
  @DisplayName("C01: header bytes are UTF-8, in the order of the row")
  void c01HeaderBytes() {
    WireRecord record =
        published(
            router, row("e1").withHeaders("{\"z\":\"😀é'\\\"\\\\\",\"ü\":\"\\ud83d\\ude00\"}"));

    List<WireHeader> own = record.headers().subList(10, 12);
    assertThat(own.get(0).name()).isEqualTo("z");
    assertThat(own.get(0).value()).asHexString().isEqualTo("F09F9880C3A927225C");
    assertThat(own.get(1).name()).isEqualTo("ü");
    assertThat(own.get(1).value()).asHexString().isEqualTo("F09F9880");
  }

  @Test
  @DisplayName("C39: the same change is the same record again, byte for byte")
  void c39RoutingIsDeterministic() {
    Rows row = row("e1").withHeaders("{\"b\":\"1\",\"a\":\"2\",\"c\":\"3\"}");

    assertThat(published(router, row))
        .usingRecursiveComparison()
        .isEqualTo(
            published(
                new Router(
                    new RouteConfig(
                        TopicTemplate.DEFAULT, HeaderFormat.CLOUDEVENTS, "/waybill/shop")),
                row));
  }

  @Test
  void aParkedEventKeepsWhatARedriveNeeds() {
    Route.Park park =
        parked(router, row("e1").withTopic("a b").withHeaders("{\"tenant\":\"acme\"}"));

    assertThat(park.topic()).isEqualTo("a b");
    assertThat(park.key()).isEqualTo("A".getBytes(UTF_8));
    assertThat(texts(park.headers())).containsEntry("ce_id", "e1").containsEntry("tenant", "acme");
  }

  private static WireRecord published(Router router, Rows row) {
    Route route = router.route(row.change());
    assertThat(route).isInstanceOf(Route.Publish.class);
    return ((Route.Publish) route).record();
  }

  private static Route.Park parked(Router router, Rows row) {
    Route route = router.route(row.change());
    assertThat(route).isInstanceOf(Route.Park.class);
    return (Route.Park) route;
  }

  private static Map<String, String> texts(List<WireHeader> headers) {
    Map<String, String> texts = new LinkedHashMap<>();
    headers.forEach(h -> texts.put(h.name(), new String(Objects.requireNonNull(h.value()), UTF_8)));
    return texts;
  }
}
