package dev.waybill.engine.publish;

import static dev.waybill.engine.publish.Cluster.header;
import static dev.waybill.engine.route.Rows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.engine.route.HeaderFormat;
import dev.waybill.engine.route.Route;
import dev.waybill.engine.route.RouteConfig;
import dev.waybill.engine.route.Router;
import dev.waybill.wire.TopicTemplate;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** On a real broker that is stopped, killed and frozen. */
@Timeout(300)
final class BrokerAwayTest {

  private static final int BATCH = 500;

  private static Cluster cluster;

  private final Router router =
      new Router(new RouteConfig(TopicTemplate.DEFAULT, HeaderFormat.CLOUDEVENTS, "/waybill/shop"));
  private final Map<String, String> kafka = new HashMap<>();
  private final CountDownLatch sent = new CountDownLatch(1);
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
  void prepare(TestInfo test) {
    cluster.broker().start();
    name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    kafka.put("bootstrap.servers", cluster.broker().bootstrapServers());
    cluster.create(topic(), 1, Map.of());
  }

  @AfterEach
  void nothingIsLeft() {
    Cluster.requireNoClientLeft();
  }

  /**
   * A batch may come twice: a broker that is being stopped answers of what it has written that it
   * does not lead any more, and the producer, which sends it again with the same sequence numbers,
   * was seen to have it written once more by the broker that was started (4.3.1, in one of twelve
   * such moments).
   */
  @Test
  @DisplayName("C27: a broker restarted under load is waited for, and no event overtakes another")
  void c27_restartedUnderLoad() throws Exception {
    try (Publisher publisher = broker().open()) {
      CompletableFuture<Void> restart = null;
      for (int batch = 0; batch < 40; batch++) {
        publisher.publish(routes(batch * BATCH, BATCH));
        if (batch == 10) {
          restart = CompletableFuture.runAsync(BrokerAwayTest::restart);
        }
      }
      assertThat(restart).isNotNull();
      restart.join();
      publisher.publish(routes(40 * BATCH, BATCH));
    }

    assertThat(firstOccurrences()).isEqualTo(expected(41 * BATCH));
  }

  @Test
  @DisplayName("C27: killed again and again, first occurrences stay in order and none is lost")
  void c27_killedUnderLoad() throws Exception {
    timeouts(2_000);
    Broker broker = broker();
    CompletableFuture<Void> killer =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < 3; i++) {
                cluster.broker().kill();
                cluster.broker().start();
              }
            });
    int acknowledged = 0;
    int failures = 0;
    while (acknowledged < 60) {
      try (Publisher publisher = broker.open()) {
        while (acknowledged < 60) {
          publisher.publish(routes(acknowledged * BATCH, BATCH));
          acknowledged++;
          if (acknowledged == 50) {
            killer.join();
          }
        }
      } catch (BrokerUnavailableException e) {
        failures++;
      }
    }

    assertThat(firstOccurrences()).isEqualTo(expected(60 * BATCH));
    assertThat(failures).isPositive();
  }

  @Test
  @DisplayName("C27: once an event has failed, nothing behind it gets into Kafka before it")
  void c27_nothingOvertakesAFailure() throws Exception {
    timeouts(2_000);
    // So small that most of the batch is handed over only after its beginning has failed.
    kafka.put("buffer.memory", "100000");
    kafka.put("batch.size", "5000");
    kafka.put("max.block.ms", "20000");
    Broker broker = broker();
    List<Route> batch = routes(0, 2_000);
    try (Publisher publisher = broker.open()) {
      publisher.publish(routes(0, 1));
      cluster.broker().suspend();
      CompletableFuture<Void> resumed =
          CompletableFuture.runAsync(
              cluster.broker()::resume,
              CompletableFuture.delayedExecutor(2_500, TimeUnit.MILLISECONDS));
      assertThatThrownBy(() -> publisher.publish(batch))
          .isInstanceOf(BrokerUnavailableException.class);
      resumed.join();
    }
    try (Publisher next = broker.open()) {
      next.publish(batch);
    }

    assertThat(firstOccurrences()).isEqualTo(expected(2_000));
  }

  @Test
  @DisplayName("C26: away longer than the delivery time-out: fails, names it, stores nothing")
  void c26_awayForLong() throws Exception {
    timeouts(2_000);
    Broker broker = broker();
    try (Publisher publisher = broker.open()) {
      publisher.publish(routes(0, 10));
      cluster.broker().stop();
      assertThatThrownBy(() -> publisher.publish(routes(10, 100)))
          .isInstanceOf(BrokerUnavailableException.class)
          .hasMessageContaining("event e10 ")
          .hasMessageContaining(topic());
      assertThatThrownBy(() -> publisher.storeProgress(progress()))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThatThrownBy(broker::open).isInstanceOf(BrokerUnavailableException.class);

    cluster.broker().start();
    try (Publisher next = broker.open()) {
      assertThat(next.readProgress()).isNull();
      next.publish(routes(10, 100));
      next.storeProgress(progress());
      assertThat(next.readProgress()).isEqualTo(progress());
    }
    assertThat(firstOccurrences()).isEqualTo(expected(110));
  }

  @Test
  @DisplayName("C26: progress that the broker does not acknowledge is a failure")
  void c26_progressNotAcknowledged() throws Exception {
    timeouts(1_000);
    try (Publisher publisher = broker().open()) {
      cluster.broker().stop();
      assertThatThrownBy(() -> publisher.storeProgress(progress()))
          .isInstanceOf(BrokerUnavailableException.class)
          .hasMessageContaining("progress");
    }
  }

  @Test
  void anInterruptEndsPublishingAtOnce() throws Exception {
    try (Publisher publisher = broker().open()) {
      publisher.publish(routes(0, 1));
      AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  publisher.publish(routes(1, 10));
                } catch (Throwable e) {
                  failure.set(e);
                }
              });
      cluster.broker().suspend();
      thread.start();
      await(sent);
      thread.interrupt();
      thread.join(5_000);
      assertThat(thread.isAlive()).isFalse();
      assertThat(failure.get()).isInstanceOf(InterruptedException.class);
    } finally {
      cluster.broker().resume();
    }
  }

  @Test
  void closingFromAnotherThreadEndsPublishingAtOnce() throws Exception {
    Publisher publisher = broker().open();
    publisher.publish(routes(0, 1));
    cluster.broker().suspend();
    try {
      CompletableFuture<Void> publishing =
          CompletableFuture.runAsync(
              () -> {
                try {
                  publisher.publish(routes(1, 10));
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      await(sent);
      publisher.close();
      assertThatThrownBy(() -> publishing.orTimeout(5, TimeUnit.SECONDS).join())
          .hasCauseInstanceOf(BrokerUnavailableException.class);
    } finally {
      cluster.broker().resume();
    }
  }

  @Test
  void aBrokerThatIsNotThereIsUnavailable() {
    kafka.put("bootstrap.servers", "127.0.0.1:1");
    timeouts(1_000);
    assertThatThrownBy(() -> broker().open()).isInstanceOf(BrokerUnavailableException.class);

    kafka.put("bootstrap.servers", "no-such-host.invalid:9092");
    assertThatThrownBy(() -> broker().open()).isInstanceOf(BrokerUnavailableException.class);
  }

  private static void restart() {
    try {
      cluster.broker().stop();
      cluster.broker().start();
    } catch (RuntimeException e) {
      throw new CompletionException(e);
    }
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private void timeouts(int millis) {
    kafka.put("delivery.timeout.ms", Integer.toString(millis));
    kafka.put("max.block.ms", Integer.toString(millis));
  }

  private Broker broker() {
    String engine = name.length() <= 40 ? name : name.substring(0, 40);
    PublishObserver observer =
        new PublishObserver() {
          @Override
          public void sent(int records) {
            if (records == 10) {
              sent.countDown();
            }
          }
        };
    return new Broker(Cluster.config(engine, kafka), observer, Clock.systemUTC());
  }

  private String topic() {
    return "events." + name;
  }

  private List<Route> routes(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(i -> router.route(row("e" + i).withAggregateType(name).change()))
        .toList();
  }

  private static List<String> expected(int count) {
    return IntStream.range(0, count).mapToObj(i -> "e" + i).toList();
  }

  private List<String> ids() {
    return cluster.read(topic()).stream().map(r -> header(r, "ce_id")).toList();
  }

  private List<String> firstOccurrences() {
    return ids().stream().distinct().toList();
  }

  private static Progress progress() {
    return new Progress(Progress.Phase.STREAMING, Map.of("system", "7"), Map.of("lsn", "0/1"));
  }
}
