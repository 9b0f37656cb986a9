package dev.waybill.consumer.park;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The settings of the Kafka consumer, as far as they say how to reach the broker.
 *
 * @param settings of the consumer
 * @param timeout for making the topic, and for each event
 */
public record ParkSettings(String group, Map<String, Object> settings, Duration timeout) {

  /** An event that could be published must also fit with what is written beside it. */
  static final int MAX_BYTES = 32 * 1024 * 1024;

  /** Same names, but not for us: they are the consumer's own classes or its identity. */
  private static final Set<String> CONSUMERS_OWN =
      Set.of(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, ProducerConfig.CLIENT_ID_CONFIG);

  public ParkSettings {
    settings = Map.copyOf(settings);
  }

  Map<String, Object> producer() {
    Map<String, Object> producer = only(ProducerConfig.configNames());
    int millis = Math.toIntExact(timeout.toMillis());
    producer.put(ProducerConfig.CLIENT_ID_CONFIG, "waybill-park-" + group);
    producer.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    producer.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    producer.put(ProducerConfig.ACKS_CONFIG, "all");
    producer.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    producer.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    producer.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis);
    producer.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
    producer.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis);
    producer.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_BYTES);
    return producer;
  }

  Map<String, Object> admin() {
    Map<String, Object> admin = only(AdminClientConfig.configNames());
    admin.put(AdminClientConfig.CLIENT_ID_CONFIG, "waybill-park-" + group);
    return admin;
  }

  private Map<String, Object> only(Set<String> names) {
    Map<String, Object> chosen = new HashMap<>(settings);
    chosen.keySet().retainAll(names);
    chosen.keySet().removeAll(CONSUMERS_OWN);
    return chosen;
  }
}
