package dev.waybill.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicNamesTest {

  @ParameterizedTest
  @ValueSource(strings = {"a", "events.order", "Order", "a_b-c.D9", "...", ".a"})
  void c24_legal(String topic) {
    assertThat(TopicNames.problem(topic)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "Dont care", "a/b", "ü", "a\n", "😀"})
  void c24_illegal(String topic) {
    assertThat(TopicNames.problem(topic)).isNotNull();
  }

  @Test
  void c24_says_what_is_wrong() {
    assertThat(TopicNames.problem("t".repeat(250)))
        .isEqualTo("has 250 characters, a topic at most 249");
    assertThat(TopicNames.problem("t".repeat(249))).isNull();
    assertThat(TopicNames.problem("events.Dont care"))
        .isEqualTo("'events.Dont care' contains U+0020, a topic only a-z A-Z 0-9 . _ -");
  }

  @Test
  void nameWaybillsOwnTopics() {
    assertThat(TopicNames.progress("shop")).isEqualTo("waybill.shop.progress");
    assertThat(TopicNames.parked("shop")).isEqualTo("waybill.shop.parked");
    assertThat(TopicNames.parked("events.order", "stock")).isEqualTo("events.order.stock.parked");
    assertThat(TopicNames.redrive("events.order", "stock")).isEqualTo("events.order.stock.redrive");
  }

  @Test
  void leaveKafkasOwnTopicsToKafka() {
    assertThat(TopicNames.eventProblem("__transaction_state"))
        .isEqualTo("'__transaction_state' begins with '__', as only Kafka's own topics do");
    assertThat(TopicNames.eventProblem("_orders")).isNull();
  }

  @Test
  void leaveWaybillsOwnTopicsToWaybill() {
    assertThat(TopicNames.eventProblem(TopicNames.progress("shop")))
        .isEqualTo(
            "'waybill.shop.progress' begins with 'waybill.', as only Waybill's own topics do");
    assertThat(TopicNames.eventProblem(TopicNames.parked("shop"))).isNotNull();
    assertThat(TopicNames.eventProblem("waybills")).isNull();
    assertThat(TopicNames.eventProblem("a b")).isEqualTo(TopicNames.problem("a b"));
    assertThat(TopicNames.problem(TopicNames.progress("shop"))).isNull();
  }

  @ParameterizedTest
  @CsvSource({"''", "Shop", "my-shop", "a.b", "ä", "a1234567890123456789012345678901234567890"})
  void refusesEngineNamesThatAreNoSlotNames(String engine) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TopicNames.progress(engine))
        .withMessage("Engine name '%s' is not legal: 1 to 40 characters of a-z 0-9 _", engine);
  }

  @Test
  void refusesAGroupThatMakesNoTopic() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TopicNames.parked("events.order", "my group"))
        .withMessageContaining("'events.order.my group.parked' contains U+0020");
  }
}
