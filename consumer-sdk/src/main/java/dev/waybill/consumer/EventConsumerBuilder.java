package dev.waybill.consumer;

import static java.util.Objects.requireNonNull;

import dev.waybill.consumer.ConsumerConfig.Failing;
import dev.waybill.consumer.ConsumerConfig.Pace;
import dev.waybill.consumer.guard.Guard;
import dev.waybill.consumer.handle.BackOff;
import dev.waybill.consumer.handle.Decoders;
import dev.waybill.consumer.handle.EventHandler;
import dev.waybill.consumer.handle.Handlers;
import dev.waybill.consumer.handle.PayloadDecoder;
import dev.waybill.consumer.handle.PayloadHandler;
import dev.waybill.consumer.handle.RetryPolicy;
import dev.waybill.consumer.poll.Subscription;
import dev.waybill.wire.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Collects, and checks all at the end. */
final class EventConsumerBuilder implements EventConsumer.Builder {

  private static final int CONFLICTS = 10;

  private final String group;
  private final List<String> topics = new ArrayList<>();
  private final Map<String, Object> kafka = new HashMap<>();
  private final Handlers.Registrations handlers = new Handlers.Registrations();
  private final List<ConsumerListener> listeners = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private @Nullable DataSource dataSource;
  private @Nullable PayloadDecoder decoder;
  private Guard guard = Guard.inbox();
  private RetryPolicy retry = RetryPolicy.standard();
  private BackOff outage = new BackOff(Duration.ofMillis(200), Duration.ofSeconds(10));
  private int workers = 4;
  private int queuedEvents = 500;
  private long queuedBytes = 64L * 1024 * 1024;
  private Duration commitInterval = Duration.ofSeconds(1);
  private Duration revokeTimeout = Duration.ofSeconds(10);
  private Duration closeTimeout = Duration.ofSeconds(10);
  private Duration stuckAfter = Duration.ofMinutes(1);
  private Duration parkTimeout = Duration.ofSeconds(30);

  EventConsumerBuilder(String group) {
    this.group = requireNonNull(group, "group");
  }

  @Override
  public EventConsumer.Builder topics(String... more) {
    topics.addAll(List.of(more));
    return this;
  }

  @Override
  public EventConsumer.Builder kafka(Map<?, ?> settings) {
    if (settings instanceof Properties properties) {
      // Not entrySet, which leaves out the defaults of Properties.
      properties.stringPropertyNames().forEach(n -> kafka.put(n, properties.getProperty(n)));
    }
    settings.forEach(
        (name, value) -> {
          if (value == null) {
            problems.add("kafka: " + name + " has no value");
          } else {
            kafka.put(String.valueOf(name), value);
          }
        });
    return this;
  }

  @Override
  public EventConsumer.Builder dataSource(DataSource dataSource) {
    this.dataSource = requireNonNull(dataSource, "dataSource");
    return this;
  }

  @Override
  public EventConsumer.Builder guard(Guard guard) {
    this.guard = requireNonNull(guard, "guard");
    return this;
  }

  @Override
  public EventConsumer.Builder on(String type, EventHandler handler) {
    handlers.add(type, requireNonNull(handler, "handler"));
    return this;
  }

  @Override
  public <T> EventConsumer.Builder on(
      String type, Class<T> payload, PayloadHandler<? super T> handler) {
    handlers.add(type, requireNonNull(payload, "payload"), requireNonNull(handler, "handler"));
    return this;
  }

  @Override
  public EventConsumer.Builder onAny(EventHandler handler) {
    return on("*", handler);
  }

  @Override
  public EventConsumer.Builder decoder(PayloadDecoder decoder) {
    this.decoder = requireNonNull(decoder, "decoder");
    return this;
  }

  @Override
  public EventConsumer.Builder retry(RetryPolicy policy) {
    this.retry = requireNonNull(policy, "policy");
    return this;
  }

  @Override
  public EventConsumer.Builder listener(ConsumerListener listener) {
    listeners.add(requireNonNull(listener, "listener"));
    return this;
  }

  @Override
  public EventConsumer.Builder workers(int count) {
    this.workers = count;
    return this;
  }

  @Override
  public EventConsumer.Builder readAhead(int events, long bytes) {
    this.queuedEvents = events;
    this.queuedBytes = bytes;
    return this;
  }

  @Override
  public EventConsumer.Builder commitInterval(Duration interval) {
    this.commitInterval = requireNonNull(interval, "interval");
    return this;
  }

  @Override
  public EventConsumer.Builder revokeTimeout(Duration timeout) {
    this.revokeTimeout = requireNonNull(timeout, "timeout");
    return this;
  }

  @Override
  public EventConsumer.Builder closeTimeout(Duration timeout) {
    this.closeTimeout = requireNonNull(timeout, "timeout");
    return this;
  }

  @Override
  public EventConsumer.Builder stuckAfter(Duration duration) {
    this.stuckAfter = requireNonNull(duration, "duration");
    return this;
  }

  @Override
  public EventConsumer.Builder outageBackOff(BackOff backOff) {
    this.outage = requireNonNull(backOff, "backOff");
    return this;
  }

  @Override
  public EventConsumer.Builder parkTimeout(Duration timeout) {
    this.parkTimeout = requireNonNull(timeout, "timeout");
    return this;
  }

  @Override
  public EventConsumer build() {
    Subscription subscription = new Subscription(group, topics, kafka);
    @Nullable PayloadDecoder payloads = decoder == null ? Decoders.present().orElse(null) : decoder;
    List<String> problems = new ArrayList<>(this.problems);
    checkNames(problems);
    problems.addAll(subscription.problems());
    if (dataSource == null) {
      problems.add("no database: call dataSource(…)");
    }
    problems.addAll(handlers.problems());
    if (payloads == null && handlers.hasTyped()) {
      problems.add(
          "handlers want decoded payloads, but Jackson 2 is not on the class path: add"
              + " jackson-databind, or call decoder(…), for Jackson 3 with jsonMapper::readValue");
    }
    checkPace(problems, subscription);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "Consumer '" + group + "' cannot be built:\n - " + String.join("\n - ", problems));
    }
    return new KafkaEventConsumer(config(subscription, payloads));
  }

  private ConsumerConfig config(Subscription subscription, @Nullable PayloadDecoder payloads) {
    return new ConsumerConfig(
        subscription,
        requireNonNull(dataSource),
        guard,
        handlers.with(payloads == null ? EventConsumerBuilder::noDecoder : payloads),
        new Failing(retry, outage, CONFLICTS, parkTimeout),
        new Pace(
            workers,
            queuedEvents,
            queuedBytes,
            commitInterval,
            revokeTimeout,
            closeTimeout,
            stuckAfter),
        listeners);
  }

  private static <T> T noDecoder(byte[] payload, Class<T> type) {
    throw new IllegalStateException("No handler wants a decoded payload");
  }

  private void checkNames(List<String> problems) {
    String wrongGroup = TopicNames.problem(group);
    if (wrongGroup != null) {
      problems.add("group, which is part of topic names: " + wrongGroup);
    }
    if (topics.isEmpty()) {
      problems.add("no topics: call topics(…)");
    }
    for (String topic : topics) {
      String wrong = TopicNames.problem(topic);
      if (wrong != null) {
        problems.add("topic: " + wrong);
      } else if (wrongGroup == null) {
        checkParkTopic(problems, topic);
      }
    }
  }

  private void checkParkTopic(List<String> problems, String topic) {
    try {
      TopicNames.parked(topic, group);
    } catch (IllegalArgumentException e) {
      problems.add("park topic of " + topic + ": " + e.getMessage());
    }
  }

  private void checkPace(List<String> problems, Subscription subscription) {
    atLeastOne(problems, "workers", workers);
    atLeastOne(problems, "readAhead: events", queuedEvents);
    atLeastOne(problems, "readAhead: bytes", queuedBytes);
    positive(problems, "commitInterval", commitInterval);
    positive(problems, "revokeTimeout", revokeTimeout);
    positive(problems, "closeTimeout", closeTimeout);
    positive(problems, "stuckAfter", stuckAfter);
    positive(problems, "parkTimeout", parkTimeout);
    subscription
        .maxPollInterval()
        .filter(interval -> revokeTimeout.compareTo(interval) >= 0)
        .ifPresent(
            interval ->
                problems.add(
                    "revokeTimeout: %s is not shorter than max.poll.interval.ms, %s"
                        .formatted(revokeTimeout, interval)));
  }

  private static void atLeastOne(List<String> problems, String name, long value) {
    if (value < 1) {
      problems.add(name + ": " + value + " is less than 1");
    }
  }

  private static void positive(List<String> problems, String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      problems.add(name + ": " + value + " is not longer than zero");
    }
  }
}
