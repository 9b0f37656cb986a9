package dev.waybill.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxEventTest {

  private static final String EMOJI = "😀";

  @Test
  void isMadeWithANewIdAndTheTimeOfNow() {
    Instant before = Instant.now();
    OutboxEvent first = event(b -> b);
    OutboxEvent second = event(b -> b);

    assertThat(first.eventId()).isLessThan(second.eventId()).matches("[0-9a-f-]{14}7.*");
    assertThat(first.occurredAt()).isBetween(before.minusNanos(1_000), Instant.now());
    assertThat(first.eventVersion()).isEqualTo(1);
    assertThat(first.payload()).isNull();
  }

  @Test
  void cutsTheTimeToMicrosecondsAndNeverRoundsItUp() {
    OutboxEvent event = event(b -> b.occurredAt(Instant.parse("2026-11-30T10:00:00.999999999Z")));

    assertThat(event.occurredAt()).isEqualTo("2026-11-30T10:00:00.999999Z");
  }

  @Test
  void isNotChangedThroughItsBuilder() {
    OutboxEvent.Builder builder = OutboxEvent.builder("order", "1", "OrderPaid").header("a", "1");
    OutboxEvent event = builder.build();
    builder.header("b", "2");

    assertThat(event.headers()).isEqualTo(Map.of("a", "1"));
    assertThatThrownBy(() -> event.headers().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void takesWhatJustFitsCountedInCodePoints() {
    assertThatCode(
            () ->
                OutboxEvent.builder("o".repeat(64), EMOJI.repeat(255), EMOJI.repeat(128))
                    .eventId(EMOJI.repeat(64))
                    .key(EMOJI.repeat(255))
                    .topic("t".repeat(249))
                    .build())
        .doesNotThrowAnyException();
  }

  static Stream<Arguments> invalid() {
    return Stream.of(
        broken("event_id is empty", b -> b.eventId("")),
        broken("event_id has 65 characters", b -> b.eventId(EMOJI.repeat(65))),
        broken("event_id contains the character U+0000 at index 1", b -> b.eventId("a\0b")),
        broken("event_id contains half of a surrogate pair at index 0", b -> b.eventId("\ud83d")),
        broken("event_id contains half of a surrogate pair at index 1", b -> b.eventId("a\ude00b")),
        broken("aggregate_version is 0", b -> b.aggregateVersion(0)),
        broken("event_version is -1", b -> b.eventVersion(-1)),
        broken("topic 'a b' contains U+0020", b -> b.topic("a b")),
        broken("topic is empty", b -> b.topic("")),
        broken("topic is '..'", b -> b.topic("..")),
        broken(
            "topic 'waybill.shop.progress' begins with 'waybill.'",
            b -> b.topic("waybill.shop.progress")),
        broken("topic '__consumer_offsets' begins with '__'", b -> b.topic("__consumer_offsets")),
        broken("topic has 250 characters", b -> b.topic("t".repeat(250))),
        broken("event_key is empty", b -> b.key("")),
        broken("event_key has 256 characters", b -> b.key("k".repeat(256))),
        broken("payload is not JSON: a value expected at index 0", b -> b.json("")),
        broken("payload is not JSON", b -> b.json("{'a':1}")),
        broken("payload contains half of a surrogate pair", b -> b.json("\"\ud83d\"")),
        broken("headers: 'ce_id' is reserved", b -> b.header("ce_id", "x")),
        broken("headers: 'content-type' is reserved", b -> b.header("content-type", "x")),
        broken("headers: '' is empty", b -> b.header("", "x")),
        broken("the value of headers: 'h' contains the character", b -> b.header("h", "\0")),
        broken("headers: 'h\ud83d' contains half", b -> b.header("h\ud83d", "x")),
        broken(
            "occurred_at is +300000", b -> b.occurredAt(Instant.parse("+300000-01-01T00:00:00Z"))),
        broken("occurred_at is -4713", b -> b.occurredAt(Instant.parse("-4713-12-31T23:59:59Z"))));
  }

  private static Arguments broken(String problem, UnaryOperator<OutboxEvent.Builder> how) {
    return Arguments.of(problem, how);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void invalid(String problem, UnaryOperator<OutboxEvent.Builder> how) {
    InvalidEventException e = catchThrowableOfType(InvalidEventException.class, () -> event(how));

    assertThat(e.problems()).singleElement().asString().startsWith(problem);
    assertThat(e).hasMessageContaining("OrderPaid of order 4711").hasMessageContaining(problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Dont care", "a/b", "ü", "order\n"})
  void c24_anAggregateTypeThatMakesNoTopicNeedsATopic(String aggregateType) {
    assertThatThrownBy(() -> OutboxEvent.builder(aggregateType, "1", "T").build())
        .isInstanceOf(InvalidEventException.class)
        .hasMessageContaining("aggregate_type '" + aggregateType + "' contains ");
    assertThatCode(() -> OutboxEvent.builder(aggregateType, "1", "T").topic("legal").build())
        .doesNotThrowAnyException();
  }

  @Test
  void c58_saysEverythingThatIsWrongTogether() {
    assertThatThrownBy(() -> OutboxEvent.builder("t".repeat(65), "i".repeat(256), "").build())
        .isInstanceOf(InvalidEventException.class)
        .hasMessageContainingAll(
            "aggregate_type has 65 characters, at most 64",
            "aggregate_id has 256 characters, at most 255",
            "event_type is empty");
  }

  @Test
  @SuppressWarnings("NullAway") // what an application without null checks may pass
  void namesTheColumnsThatAreNull() {
    assertThatThrownBy(() -> OutboxEvent.builder(null, null, "T").header("h", null).build())
        .isInstanceOf(InvalidEventException.class)
        .hasMessageContainingAll("aggregate_type is null", "aggregate_id is null", "'h' = 'null'");
  }

  private static OutboxEvent event(UnaryOperator<OutboxEvent.Builder> how) {
    return how.apply(OutboxEvent.builder("order", "4711", "OrderPaid")).build();
  }
}
