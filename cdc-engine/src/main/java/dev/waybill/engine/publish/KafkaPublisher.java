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
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.InterruptException;
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
  private final CurrentProducer producer;
  private final Admin admin;
  private final Topics topics;
  private final ProgressTopic progressTopic;
  private final OwnOffsets ownOffsets;
  private final PublishObserver observer;
  private final Clock clock;
  private final String progressName;
  private final String parkedName;

  /** Where progress ended when it was last read; negative if it was not. */
  private long since = -1;

  private volatile boolean over;

  KafkaPublisher(
      PublishConfig config,
      KafkaProperties properties,
      CurrentProducer producer,
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
    ProgressTopic.Reading reading = progressTopic.read();
    since = reading.end();
    return reading.progress();
  }

  @Override
  public void publish(List<Route> routes) throws InterruptedException {
    requireAlive();
    try {
      topics.require(newTopics(routes));
      Batch batch = prepare(routes);
      send(batch, observer);
      batch.records().forEach(this::report);
      if (batch.end() != null) {
        throw batch.end();
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

  private Batch prepare(List<Route> routes) throws InterruptedException {
    List<Outgoing> records = new ArrayList<>(routes.size());
    for (Route route : routes) {
      Outgoing outgoing = outgoing(route);
      if (outgoing.parkedReason() != null && config.onUnpublishable() == OnUnpublishable.STOP) {
        return new Batch(records, stop(outgoing.name(), outgoing.parkedReason()));
      }
      records.add(outgoing);
    }
    return new Batch(records, null);
  }

  private static UnpublishableException stop(String name, String reason) {
    return new UnpublishableException(
        "%s cannot be published: %s. The engine stops before it, as source.on-unpublishable says"
            .formatted(name, reason));
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
    if (tooLarge(outgoing, topics.limit(record.topic())) == null) {
      return outgoing;
    }
    String reason = tooLarge(outgoing, topics.limitNow(record.topic()));
    return reason == null ? outgoing : parked(outgoing, reason);
  }

  private static @Nullable String tooLarge(Outgoing outgoing, TopicLimit limit) {
    return outgoing.size() <= limit.bytes()
        ? null
        : "its record of %d bytes is larger than topic %s takes: %d (%s)"
            .formatted(outgoing.size(), outgoing.record().topic(), limit.bytes(), limit.source());
  }

  private Outgoing parked(Outgoing event, String reason) {
    WireRecord record = event.record();
    Change change = Objects.requireNonNull(event.change());
    return parked(change, record.topic(), record.key(), record.headers(), reason);
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
      if (since < 0) {
        readProgress();
      }
      WireRecord record =
          new WireRecord(
              progressName,
              PROGRESS_KEY,
              ProgressFormat.write(progress, since),
              List.of(),
              clock.millis());
      send(new Batch(List.of(Outgoing.of(null, record, null)), null), new PublishObserver() {});
    } catch (RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
  }

  /**
   * Sends, flushes once, and returns when all are acknowledged. What the broker refuses for good
   * costs a producer and another round for what is not in Kafka yet.
   */
  private void send(Batch batch, PublishObserver observer) throws InterruptedException {
    try {
      List<Outgoing> records = batch.next();
      while (!records.isEmpty()) {
        InFlight inFlight = new InFlight(producer.get(), ownOffsets);
        inFlight.send(records);
        observer.sent(records.size());
        Failure failure = inFlight.await(records.size());
        batch.acknowledged(inFlight.acknowledged());
        if (failure != null) {
          refuse(batch, inFlight, failure);
          producer.replace();
        }
        ownOffsets.requireAscending();
        records = batch.next();
      }
    } catch (InterruptException e) {
      throw KafkaFutures.checked(e);
    }
  }

  /**
   * Takes out of the batch what the broker refuses for good.
   *
   * @throws BrokerUnavailableException if that is not why records have failed
   */
  private void refuse(Batch batch, InFlight inFlight, Failure first) throws InterruptedException {
    throwIfError(first.cause());
    List<Failure> refused = inFlight.refused();
    for (Failure failure : refused) {
      refuse(batch, failure);
    }
    if (refused.isEmpty() && !inFlight.isRefusedTogether()) {
      throw explain(first);
    }
    if (refused.isEmpty()) {
      batch.sendOneByOne();
    }
  }

  private void refuse(Batch batch, Failure failure) throws InterruptedException {
    Outgoing outgoing = failure.outgoing();
    if (!outgoing.isEvent()) {
      throw explain(failure);
    }
    if (failure.cause() instanceof RecordTooLargeException) {
      topics.refusedAsTooLarge(outgoing.record().topic(), outgoing.size());
      refuseTooLarge(batch);
    } else {
      refuse(batch, outgoing, refusal(failure));
    }
  }

  /** All of them, now that more is known of a limit: each would cost a producer. */
  private void refuseTooLarge(Batch batch) {
    for (Outgoing outgoing : batch.next()) {
      String reason = tooLarge(outgoing, topics.limit(outgoing.record().topic()));
      if (outgoing.isEvent() && reason != null) {
        refuse(batch, outgoing, reason);
      }
    }
  }

  private void refuse(Batch batch, Outgoing event, String reason) {
    if (config.onUnpublishable() == OnUnpublishable.STOP) {
      batch.endBefore(event, stop(event.name(), reason));
    } else {
      batch.replace(event, parked(event, reason));
    }
  }

  private static String refusal(Failure failure) {
    WireRecord record = failure.outgoing().record();
    return "topic %s refuses it, with the time %s: %s"
        .formatted(
            record.topic(), Instant.ofEpochMilli(record.timestamp()), failure.cause().getMessage());
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

  private BrokerUnavailableException explain(Failure failure) throws InterruptedException {
    Outgoing outgoing = failure.outgoing();
    String topic = outgoing.record().topic();
    String what = "%s was not acknowledged by topic %s: ".formatted(outgoing.name(), topic);
    if (failure.cause() instanceof RecordTooLargeException) {
      topics.refusedAsTooLarge(topic, outgoing.size());
      what += "the broker takes no record of %d bytes; ".formatted(outgoing.size());
    } else if (failure.cause() instanceof TopicAuthorizationException) {
      topics.refused(topic, outgoing.name());
      what += "Waybill may not write to it, allow WRITE; ";
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
    producer.close();
    admin.close(Duration.ZERO);
  }
}
