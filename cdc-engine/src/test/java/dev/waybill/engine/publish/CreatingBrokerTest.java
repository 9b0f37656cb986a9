package dev.waybill.engine.publish;

import static dev.waybill.engine.publish.Cluster.header;
import static dev.waybill.engine.route.Rows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.engine.publish.Progress.Phase;
import dev.waybill.engine.route.HeaderFormat;
import dev.waybill.engine.route.Route;
import dev.waybill.engine.route.RouteConfig;
import dev.waybill.engine.route.Router;
import dev.waybill.wire.TopicTemplate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** On a broker as it comes, which makes topics when producers ask for them. */
final class CreatingBrokerTest {

  private static Cluster cluster;

  private final Router router =
      new Router(new RouteConfig(TopicTemplate.DEFAULT, HeaderFormat.CLOUDEVENTS, "/waybill/shop"));

  @BeforeAll
  static void start() {
    cluster = new Cluster(Cluster.forever().setting("num.partitions", "3").start());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  @DisplayName("C25: where the broker makes topics, nobody waits for one")
  void c25_topicsAreMade() throws Exception {
    List<Route> routes =
        IntStream.range(0, 20)
            .mapToObj(i -> router.route(row("e" + i).withAggregateType("t" + i).change()))
            .toList();

    publish(routes);

    for (int i = 0; i < 20; i += 5) {
      assertThat(cluster.read("events.t" + i)).hasSize(1);
    }
  }

  @Test
  @DisplayName("C08: one key is one partition, whatever others do")
  void c08_oneKeyOnePartition() throws Exception {
    List<Route> routes =
        IntStream.range(0, 90)
            .mapToObj(
                i ->
                    router.route(
                        row("e" + i)
                            .withAggregateType("keys")
                            .withAggregateId(i % 3 == 0 ? "A" : i % 3 == 1 ? "" : null)
                            .change()))
            .toList();

    publish(routes);

    List<ConsumerRecord<byte[], byte[]>> records = cluster.read("events.keys");
    assertThat(records.stream().map(r -> header(r, "ce_id")))
        .containsExactlyElementsOf(IntStream.range(0, 30).mapToObj(i -> "e" + 3 * i).toList());
    assertThat(records.stream().map(ConsumerRecord::partition).distinct()).hasSize(1);
    assertThat(cluster.read("waybill.creating.parked")).hasSize(60);
  }

  @Test
  @DisplayName("C40: progress and parked topics that the broker makes anew are noticed at once")
  void c40_ownTopicsMadeAnew() throws Exception {
    Progress progress =
        new Progress(Phase.STREAMING, Map.of("type", "postgres"), Map.of("lsn", "0/1"));
    Broker broker = broker("anew");
    try (Publisher publisher = broker.open()) {
      publisher.storeProgress(progress);
      publisher.storeProgress(progress);
      cluster.delete("waybill.anew.progress");

      // The broker goes on taking records of a deleted topic for a moment.
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .pollInSameThread()
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> publisher.storeProgress(progress))
                      .isInstanceOf(BrokerUnavailableException.class)
                      .hasMessageContaining("waybill.anew.progress was deleted and made anew"));
    }
    assertThatThrownBy(broker::open)
        .isInstanceOf(BrokerUnavailableException.class)
        .hasMessageContaining("waybill.anew.progress");
  }

  private static void publish(List<Route> routes) throws InterruptedException {
    try (Publisher publisher = broker("creating").open()) {
      publisher.publish(routes);
    }
  }

  private static Broker broker(String engine) {
    return new Broker(
        Cluster.config(engine, Map.of("bootstrap.servers", cluster.broker().bootstrapServers())),
        new PublishObserver() {},
        Clock.systemUTC());
  }
}
