package dev.waybill.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicTemplateTest {

  @Test
  void makesATopicOfTheAggregateType() {
    assertThat(TopicTemplate.DEFAULT.render("order")).isEqualTo("events.order");
    assertThat(TopicTemplate.DEBEZIUM.render("order")).isEqualTo("outbox.event.order");
    assertThat(TopicTemplate.parse("{aggregate_type}").render("order")).isEqualTo("order");
    assertThat(TopicTemplate.parse("a.{aggregate_type}.v1").render("order"))
        .isEqualTo("a.order.v1");
    assertThat(TopicTemplate.parse("everything").render("order")).isEqualTo("everything");
  }

  @Test
  void c24_neverRewrites() {
    assertThat(TopicTemplate.DEFAULT.render("Dont care")).isEqualTo("events.Dont care");
    assertThat(TopicTemplate.DEFAULT.render("Order")).isEqualTo("events.Order");
  }

  @Test
  void isWrittenAsItIsRead() {
    assertThat(TopicTemplate.parse("a.{aggregate_type}.v1")).hasToString("a.{aggregate_type}.v1");
    assertThat(TopicTemplate.parse("all")).hasToString("all");
  }

  @ParameterizedTest
  @CsvSource({
    "events.{type},                            contains {type}; the one variable is",
    "events.{aggregate_type,                   contains {aggregate_type; the one variable is",
    "'{aggregate_type}.{aggregate_type}',      contains {aggregate_type}; the one variable is",
    "'my events.{aggregate_type}',             makes no legal topic: it 'my events.x' contains U+0020",
    "'waybill.{aggregate_type}',               makes no legal topic: it 'waybill.x' begins with",
    "'',                                       makes no legal topic: it is empty",
  })
  void refusesATemplateThatMakesNoTopic(String template, String problem) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TopicTemplate.parse(template))
        .withMessageStartingWith("Topic template '%s'", template)
        .withMessageContaining(problem);
  }
}
