package dev.waybill.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.event.Event;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventOnTheWireTest {

  private static final EventEncoder CLOUD_EVENTS = EventEncoder.cloudEvents("/waybill/shop");
  private static final byte[] PAYLOAD = "{\"total\":199.00}".getBytes(UTF_8);
  private static final Event PAID =
      new Event(
          "0198-id",
          "OrderPaid",
          2,
          "order",
          "4711",
          7L,
          Instant.parse("2026-11-30T10:00:00.123456Z"),
          "application/json",
          PAYLOAD,
          inOrder("traceparent", "00-abc", "tenant", "é😀"));

  @Test
  void isACloudEventInBinaryMode() {
    WireRecord record = CLOUD_EVENTS.encode("events.order", "4711", PAID, 1_764_496_800_000L);

    assertThat(record.topic()).isEqualTo("events.order");
    assertThat(record.key()).isEqualTo("4711".getBytes(UTF_8));
    assertThat(record.value()).isSameAs(PAYLOAD);
    assertThat(record.timestamp()).isEqualTo(1_764_496_800_000L);
    assertThat(text(record))
        .containsExactly(
            "ce_specversion: 1.0",
            "ce_id: 0198-id",
            "ce_source: /waybill/shop",
            "ce_type: OrderPaid",
            "ce_subject: 4711",
            "ce_time: 2026-11-30T10:00:00.123456Z",
            "content-type: application/json",
            "ce_aggregatetype: order",
            "ce_aggregateversion: 7",
            "ce_eventversion: 2",
            "traceparent: 00-abc",
            "tenant: é😀");
  }

  @Test
  void lacksWhatTheEventLacks() {
    Event bare = new Event("id", null, 1, null, "", null, null, null, null, Map.of());

    WireRecord record = CLOUD_EVENTS.encode("t", "", bare, 0);

    assertThat(record.value()).isNull();
    assertThat(record.key()).isEmpty();
    assertThat(text(record))
        .containsExactly(
            "ce_specversion: 1.0", "ce_id: id", "ce_source: /waybill/shop", "ce_eventversion: 1");
  }

  @Test
  void c07_anEmptyPayloadIsNoTombstone() {
    Event empty = new Event("id", "T", 1, "a", "1", null, null, null, new byte[0], Map.of());

    assertThat(CLOUD_EVENTS.encode("t", "1", empty, 0).value()).isEmpty();
    assertThat(EventDecoder.decode(CLOUD_EVENTS.encode("t", "1", empty, 0)).payload()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"+10000-01-01T00:00:00Z", "-0001-12-31T00:00:00Z"})
  void c11_leavesOutATimeThatCannotBeWritten(Instant time) {
    Event event = new Event("id", "T", 1, "a", "1", null, time, null, null, Map.of());

    assertThat(text(CLOUD_EVENTS.encode("t", "1", event, 0)))
        .noneMatch(h -> h.startsWith("ce_time"));
  }

  @Test
  void needsASource() {
    assertThatIllegalArgumentException().isThrownBy(() -> EventEncoder.cloudEvents(""));
  }

  @Test
  void carriesTheHeadersOfDebeziumsRouterInstead() {
    WireRecord record = EventEncoder.debezium().encode("outbox.event.order", "4711", PAID, 1);

    assertThat(text(record))
        .containsExactly(
            "id: 0198-id", "eventType: OrderPaid", "traceparent: 00-abc", "tenant: é😀");
    Event read = EventDecoder.decode(record);
    assertThat(read.id()).isEqualTo("0198-id");
    assertThat(read.type()).isEqualTo("OrderPaid");
    assertThat(read.aggregateId()).isEqualTo("4711");
    assertThat(read.aggregateVersion()).isNull();
    assertThat(read.payload()).isSameAs(PAYLOAD);
    assertThat(read.headers()).isEqualTo(PAID.headers());
  }

  @Test
  void readsAndWritesTheSameBytesWhateverTheEvent() {
    Random random = new Random(1);
    for (int i = 0; i < 5_000; i++) {
      Event event = any(random);
      WireRecord written = CLOUD_EVENTS.encode("t", "k", event, i);

      Event read = EventDecoder.decode(written);

      assertThat(read).usingRecursiveComparison().isEqualTo(event);
      assertThat(read.headers().keySet()).containsExactlyElementsOf(event.headers().keySet());
      assertThat(text(CLOUD_EVENTS.encode("t", "k", read, i))).isEqualTo(text(written));
    }
  }

  @Test
  void aHeaderCalledIdBelongsToTheProducerOfACloudEvent() {
    Event read =
        EventDecoder.decode(record(WireHeader.of("ce_id", "e1"), WireHeader.of("id", "mine")));

    assertThat(read.id()).isEqualTo("e1");
    assertThat(read.headers()).isEqualTo(Map.of("id", "mine"));
  }

  @Test
  void theLastOfSeveralHeadersCountsAndOneWithoutValueIsMissing() {
    Event read =
        EventDecoder.decode(
            record(
                WireHeader.of("ce_id", "first"),
                WireHeader.of("ce_id", "last"),
                new WireHeader("ce_type", null),
                new WireHeader("tenant", null)));

    assertThat(read.id()).isEqualTo("last");
    assertThat(read.type()).isNull();
    assertThat(read.version()).isEqualTo(1);
    assertThat(read.headers()).isEmpty();
  }

  @Test
  void doesNotTakeForeignAttributesForTheProducersHeaders() {
    Event read =
        EventDecoder.decode(
            record(WireHeader.of("ce_id", "e1"), WireHeader.of("ce_dataschema", "urn:x")));

    assertThat(read.headers()).isEmpty();
  }

  @Test
  void aTimeThatCannotBeReadIsMissing() {
    Event read =
        EventDecoder.decode(record(WireHeader.of("ce_id", "e1"), WireHeader.of("ce_time", "noon")));

    assertThat(read.occurredAt()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "ce_aggregateversion, seven",
    "ce_aggregateversion, 9223372036854775808",
    "ce_eventversion, 2147483648",
    "ce_eventversion, ''",
  })
  void aVersionThatIsNoNumberIsUndecodable(String name, String value) {
    assertThatThrownBy(
            () ->
                EventDecoder.decode(
                    record(WireHeader.of("ce_id", "e1"), WireHeader.of(name, value))))
        .isInstanceOf(UndecodableRecordException.class)
        .hasMessageStartingWith("Event e1 of topic t has the %s '%s'", name, value);
  }

  @Test
  void aRecordWithoutAnIdIsUndecodable() {
    for (WireRecord record :
        List.of(
            record(),
            record(WireHeader.of("ce_type", "T")),
            record(WireHeader.of("ce_id", ""), new WireHeader("id", null)))) {
      assertThatThrownBy(() -> EventDecoder.decode(record))
          .isInstanceOf(UndecodableRecordException.class)
          .hasMessage("A record of topic t has no event id: neither a ce_id nor an id header");
    }
  }

  @Test
  void c08_aForeignRecordMayLackItsKey() {
    Event read =
        EventDecoder.decode(new WireRecord("t", null, null, List.of(WireHeader.of("id", "e1")), 0));

    assertThat(read.aggregateId()).isNull();
  }

  private static WireRecord record(WireHeader... headers) {
    return new WireRecord("t", "k".getBytes(UTF_8), PAYLOAD, List.of(headers), 0);
  }

  private static List<String> text(WireRecord record) {
    return record.headers().stream().map(EventOnTheWireTest::text).toList();
  }

  private static String text(WireHeader header) {
    byte[] value = header.value();
    return header.name() + ": " + (value == null ? "-" : new String(value, UTF_8));
  }

  private static Map<String, String> inOrder(String... namesAndValues) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return Collections.unmodifiableMap(map);
  }

  private static Event any(Random random) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      headers.put("h" + words(random, 3), words(random, 9));
    }
    return new Event(
        "e" + words(random, 5),
        "t" + words(random, 5),
        1 + random.nextInt(Integer.MAX_VALUE),
        maybe(random, "a" + words(random, 3)),
        maybe(random, "i" + words(random, 9)),
        random.nextBoolean() ? null : random.nextLong(Long.MAX_VALUE),
        random.nextBoolean() ? null : Instant.ofEpochSecond(random.nextInt(), 123_456_000),
        maybe(random, "application/json"),
        random.nextBoolean() ? null : words(random, 99).getBytes(UTF_8),
        headers);
  }

  private static @Nullable String maybe(Random random, String text) {
    return random.nextBoolean() ? null : text;
  }

  /** From all of Unicode, surrogates apart. */
  private static String words(Random random, int length) {
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      int c = random.nextInt(Character.MAX_CODE_POINT + 1);
      if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
        text.appendCodePoint(c);
      }
    }
    return text.toString();
  }
}
