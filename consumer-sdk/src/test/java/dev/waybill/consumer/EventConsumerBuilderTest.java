package dev.waybill.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventConsumerBuilderTest {

  /** Never connects. */
  private final HikariDataSource dataSource = new HikariDataSource();

  @AfterEach
  void close() {
    dataSource.close();
  }

  @Test
  void reportsAllProblemsTogether() {
    assertThatThrownBy(
            () ->
                EventConsumer.builder("bad group")
                    .topics("bad topic")
                    .kafka(
                        Map.of(
                            "enable.auto.commit", "true",
                            "group.id", "another",
                            "value.deserializer", "some.Deserializer",
                            "max.poll.records", "many"))
                    .workers(0)
                    .commitInterval(Duration.ZERO)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Consumer 'bad group' cannot be built")
        .hasMessageContaining("group, which is part of topic names")
        .hasMessageContaining("topic: 'bad topic'")
        .hasMessageContaining("enable.auto.commit=true is not yours to set")
        .hasMessageContaining("group.id=another is not yours to set")
        .hasMessageContaining("value.deserializer=some.Deserializer is not yours to set")
        .hasMessageContaining("bootstrap.servers")
        .hasMessageContaining("max.poll.records")
        .hasMessageContaining("dataSource(…)")
        .hasMessageContaining("no handler")
        .hasMessageContaining("workers: 0")
        .hasMessageContaining("commitInterval");
  }

  @Test
  void refusesAGroupWhoseParkTopicWouldHaveTooLongAName() {
    assertThatThrownBy(() -> complete("g".repeat(200)).topics("t".repeat(60)).build())
        .hasMessageContaining("park topic of ttt");
  }

  @Test
  void refusesToWaitLongerForARevocationThanTheGroupWaits() {
    assertThatThrownBy(
            () -> complete("g").kafka(Map.of("max.poll.interval.ms", 5_000)).topics("t").build())
        .hasMessageContaining("revokeTimeout: PT10S is not shorter than max.poll.interval.ms");
  }

  @Test
  void refusesSettingsThatDoNotGoTogether() {
    assertThatThrownBy(
            () ->
                complete("g")
                    .topics("t")
                    .kafka(Map.of("group.protocol", "consumer", "session.timeout.ms", 10_000))
                    .build())
        .hasMessageContaining("session.timeout.ms");
  }

  @Test
  void refusesTwoHandlersForOneType() {
    assertThatThrownBy(() -> complete("g").topics("t").on("*", (event, tx) -> {}).build())
        .hasMessageContaining("on('*') has two handlers");
  }

  @Test
  void refusesAValueThatIsMissing() {
    Map<String, @Nullable Object> settings = new HashMap<>();
    settings.put("client.rack", null);
    assertThatThrownBy(() -> complete("g").topics("t").kafka(settings).build())
        .hasMessageContaining("client.rack has no value");
  }

  @Test
  void takesTheDefaultsOfProperties() {
    Properties defaults = new Properties();
    defaults.setProperty("bootstrap.servers", "localhost:9");
    EventConsumer consumer =
        EventConsumer.builder("g")
            .onAny((event, tx) -> {})
            .dataSource(dataSource)
            .kafka(new Properties(defaults))
            .topics("t")
            .build();
    assertThat(consumer.state()).isEqualTo(ConsumerState.CREATED);
  }

  @Test
  void takesSettingsThatSayWhatHoldsAnyway() {
    EventConsumer consumer =
        complete("g")
            .topics("t")
            .kafka(
                Map.of(
                    "enable.auto.commit", "false",
                    "group.id", "g",
                    "key.deserializer", ByteArrayDeserializer.class.getName()))
            .build();
    assertThat(consumer.state()).isEqualTo(ConsumerState.CREATED);
  }

  private EventConsumer.Builder complete(String group) {
    return EventConsumer.builder(group)
        .kafka(Map.of("bootstrap.servers", "localhost:9"))
        .dataSource(dataSource)
        .onAny((event, tx) -> {});
  }
}
