package dev.waybill.engine.publish;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.engine.capture.Change;
import dev.waybill.engine.publish.InFlight.Failure;
import dev.waybill.engine.route.Route;
import dev.waybill.wire.TopicNames;
import dev.waybill.wire.WireHeader;
import dev.waybill.wire.WireRecord;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/**
 * See the package for what may go wrong and what becomes of it.
 *
 * <p>Not the bottleneck, and kept simple for it: on 2 busy cores that also ran the broker, with
 * payloads of 300 bytes in batches of 2,048, routing and publishing took 140,000 to 210,000
 * events/s and 3 to 5 CPU seconds per million with lz4; 115,000/s without compression; 65,000/s and
 * 8 seconds with zstd. A batch of ten with its progress took 1 to 2 ms.
 */
final class KafkaPublisher implements Publisher {

  private static final byte[] PROGRESS_KEY = "progress".getBytes(UTF_8);

  private final PublishConfig config;
  private final Producer<byte[], byte[]> producer;
  private final Admin admin;
  private final Topics topics;
  private final ProgressTopic progressTopic;
  private final OwnOffsets ownOffsets;
  private final PublishObserver observer;
  private final Clock clock;
  private final String progressName;
  private final String parkedName;
  private volatile boolean over;

  KafkaPublisher(
      PublishConfig config,
      KafkaProperties properties,
      Producer<byte[], byte[]> producer,
      Admin admin,
      Topics topics,
      PublishObserver observer,
      Clock clock) {
    this.config = config;
    this.producer = producer;
    this.admin = admin;
    this.topics = topics;
    this.observer = observer;
    this.clock = clock;
    this.progressName = TopicNames.progress(config.engine());
    this.parkedName = TopicNames.parked(config.engine());
    this.progressTopic = new ProgressTopic(progressName, properties);
    this.ownOffsets = new OwnOffsets(progressName, parkedName);
  }

  /** Everything that can be found out before the source is touched. */
  void makeReady() throws InterruptedException {
    new OwnTopics(admin, config).ensure();
    topics.require(
        Map.of(progressName, "the progress of the engine", parkedName, "what is to be parked"));
    topics.requireRefused();
  }

  @Override
  public @Nullable Progress readProgress() throws InterruptedException {
    return progressTopic.read();
  }

  @Override
  public void publish(List<Route> routes) throws InterruptedException {
    requireAlive();
    try {
      topics.require(newTopics(routes));
      Prepared prepared = prepare(routes);
      send(prepared.records(), observer);
      prepared.records().forEach(this::report);
      if (prepared.unpublishable() != null) {
        throw prepared.unpublishable();
      }
    } catch (RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
  }

  private Map<String, String> newTopics(List<Route> routes) {
    Map<String, String> wanted = new LinkedHashMap<>();
    for (Route route : routes) {
      if (route instanceof Route.Publish publish && !topics.isKnown(publish.record().topic())) {
        wanted.putIfAbsent(publish.record().topic(), Outgoing.nameOf(route.change()));
      }
    }
    return wanted;
  }

  /**
   * @param unpublishable what to stop with once {@code records} are in Kafka; null to go on
   */
  private record Prepared(List<Outgoing> records, @Nullable UnpublishableException unpublishable) {}

  private Prepared prepare(List<Route> routes) throws InterruptedException {
    List<Outgoing> records = new ArrayList<>(routes.size());
    for (Route route : routes) {
      Outgoing outgoing = outgoing(route);
      if (outgoing.parkedReason() != null && config.onUnpublishable() == OnUnpublishable.STOP) {
        return new Prepared(records, stop(outgoing));
      }
      records.add(outgoing);
    }
    return new Prepared(records, null);
  }

  private static UnpublishableException stop(Outgoing outgoing) {
    return new UnpublishableException(
        "%s cannot be published: %s. The engine stops before it, as source.on-unpublishable says"
            .formatted(outgoing.name(), outgoing.parkedReason()));
  }

  private Outgoing outgoing(Route route) throws InterruptedException {
    if (route instanceof Route.Publish publish) {
      return publishable(publish);
    }
    Route.Park park = (Route.Park) route;
    return parked(park.change(), park.topic(), park.key(), park.headers(), park.reason());
  }

  private Outgoing publishable(Route.Publish route) throws InterruptedException {
    WireRecord record = route.record();
    String impossible = topics.impossible(record.topic());
    if (impossible != null) {
      return parked(route.change(), record.topic(), record.key(), record.headers(), impossible);
    }
    Outgoing outgoing = Outgoing.of(route.change(), record, null);
    if (outgoing.size() <= topics.limit(record.topic()).bytes()) {
      return outgoing;
    }
    TopicLimit limit = topics.limitNow(record.topic());
    if (outgoing.size() <= limit.bytes()) {
      return outgoing;
    }
    String reason =
        "its record of %d bytes is larger than topic %s takes: %d (%s)"
            .formatted(outgoing.size(), record.topic(), limit.bytes(), limit.source());
    return parked(route.change(), record.topic(), record.key(), record.headers(), reason);
  }

  private Outgoing parked(
      Change change,
      @Nullable String topic,
      byte @Nullable [] key,
      List<WireHeader> headers,
      String reason) {
    ParkedRecord parked =
        new ParkedRecord(change, parkedName, topic, key, headers, reason, clock.instant());
    WireRecord record = parked.fitting(topics.limit(parkedName).bytes());
    return Outgoing.of(change, record, reason);
  }

  private void report(Outgoing outgoing) {
    Change change = outgoing.change();
    if (change == null) {
      return;
    }
    if (outgoing.parkedReason() == null) {
      observer.published(change);
    } else {
      observer.parked(change, outgoing.parkedReason());
    }
  }

  @Override
  public void storeProgress(Progress progress) throws InterruptedException {
    requireAlive();
    try {
      WireRecord record =
          new WireRecord(
              progressName,
              PROGRESS_KEY,
              ProgressFormat.write(progress),
              List.of(),
              clock.millis());
      send(List.of(Outgoing.of(null, record, null)), new PublishObserver() {});
    } catch (RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
  }

  /** Sends, flushes once, and returns when all are acknowledged. */
  private void send(List<Outgoing> records, PublishObserver observer) throws InterruptedException {
    InFlight inFlight = new InFlight(producer, ownOffsets);
    try {
      inFlight.send(records);
      observer.sent(records.size());
      Failure failure = inFlight.await(records.size());
      if (failure != null) {
        throwIfError(failure.cause());
        throw explain(failure);
      }
      ownOffsets.requireAscending();
    } catch (InterruptException e) {
      throw KafkaFutures.checked(e);
    }
  }

  /**
   * The client wraps them too; of a class that is missing no broker is guilty, and none mends it.
   */
  private static void throwIfError(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof Error error) {
        throw error;
      }
    }
  }

  private BrokerUnavailableException explain(Failure failure) {
    Outgoing outgoing = failure.outgoing();
    String topic = outgoing.record().topic();
    String what = "%s was not acknowledged by topic %s: ".formatted(outgoing.name(), topic);
    if (failure.cause() instanceof RecordTooLargeException) {
      topics.refusedAsTooLarge(topic, outgoing.size());
      what += "the broker takes no record of %d bytes; ".formatted(outgoing.size());
    } else if (failure.cause() instanceof TopicAuthorizationException) {
      topics.refused(topic, outgoing.name());
      what += "Waybill may not write to it, allow WRITE; ";
    } else if (failure.cause() instanceof InvalidTimestampException) {
      what +=
          "compare the clocks of database and broker, or change the topic's message.timestamp.before.max.ms or after.max.ms; ";
    }
    return new BrokerUnavailableException(what + failure.cause().getMessage(), failure.cause());
  }

  private void requireAlive() {
    if (over) {
      throw new IllegalStateException("This publisher has failed or is closed; open a new one");
    }
  }

  @Override
  public void close() {
    over = true;
    closeNow(producer);
    admin.close(Duration.ZERO);
  }

  /** An interrupted thread closes all the same and stays interrupted. */
  static void closeNow(Producer<byte[], byte[]> producer) {
    boolean interrupted = Thread.interrupted();
    try {
      producer.close(Duration.ZERO);
    } catch (KafkaException e) {
      // It is given up either way; what matters was reported where it happened.
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
