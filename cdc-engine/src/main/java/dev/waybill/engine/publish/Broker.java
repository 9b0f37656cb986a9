package dev.waybill.engine.publish;

import java.time.Clock;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;

/**
 * The Kafka cluster that an engine publishes to. Holds no connection of its own; what one publisher
 * learnt (a topic that is missing, a size that was refused) it tells the next. One per engine, for
 * use by one thread at a time.
 */
public final class Broker {

  private final PublishConfig config;
  private final PublishObserver observer;
  private final Clock clock;
  private final Refusals refusals = new Refusals();

  /**
   * @param clock gives the time of parking
   */
  public Broker(PublishConfig config, PublishObserver observer, Clock clock) {
    this.config = Objects.requireNonNull(config, "config");
    this.observer = Objects.requireNonNull(observer, "observer");
    this.clock = Objects.requireNonNull(clock, "clock");
  }

  /**
   * Connects, makes the engine's own topics if they are missing, and waits (seconds at most) for
   * the topics that the last publisher could not write to.
   *
   * @throws BrokerUnavailableException when the broker cannot be reached or used now
   */
  public Publisher open() throws InterruptedException {
    KafkaProperties properties = new KafkaProperties(config.engine(), config.kafka());
    KafkaPublisher publisher = connect(properties);
    try {
      publisher.makeReady();
      return publisher;
    } catch (RuntimeException | InterruptedException e) {
      publisher.close();
      throw e;
    }
  }

  /**
   * Looks at the cluster and changes nothing.
   *
   * @throws BrokerUnavailableException when it cannot be reached or asked now
   */
  public BrokerReport inspect() throws InterruptedException {
    KafkaProperties properties = new KafkaProperties(config.engine(), config.kafka());
    try (Admin admin = Admin.create(properties.admin())) {
      return new BrokerInspection(admin, config.engine(), properties).report();
    } catch (KafkaException e) {
      throw new BrokerUnavailableException(
          "The Kafka client cannot be started: " + KafkaFutures.reason(e), e);
    }
  }

  private KafkaPublisher connect(KafkaProperties properties) {
    CurrentProducer producer = null;
    try {
      producer = new CurrentProducer(() -> new KafkaProducer<>(properties.producer()));
      Admin admin = Admin.create(properties.admin());
      Topics topics = new Topics(producer, admin, properties, refusals, clock);
      return new KafkaPublisher(config, properties, producer, admin, topics, observer, clock);
    } catch (KafkaException e) {
      if (producer != null) {
        producer.close();
      }
      throw new BrokerUnavailableException(
          "The Kafka client cannot be started: " + KafkaFutures.reason(e), e);
    }
  }
}
