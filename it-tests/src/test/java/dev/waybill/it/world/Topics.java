package dev.waybill.it.world;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * All topics whose names begin with a prefix, read from their beginnings by a {@code
 * read_committed} reader; topics that appear later are found. Confined to one thread.
 */
public final class Topics implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(200);

  private final String prefix;
  private final Admin admin;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<Published> read = new ArrayList<>();

  public Topics(String bootstrapServers, String prefix) {
    this.prefix = prefix;
    this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    this.consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "auto.offset.reset",
                "earliest",
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                "false",
                "allow.auto.create.topics",
                "false"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
  }

  /** Everything published so far, each partition in its order. */
  public List<Published> read() {
    assignAll();
    Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
    while (ends.entrySet().stream().anyMatch(end -> isBehind(end.getKey(), end.getValue()))) {
      consumer.poll(POLL).forEach(record -> read.add(new Published(record)));
    }
    return List.copyOf(read);
  }

  /** The names of the topics that exist now. */
  public Set<String> names() {
    try {
      return admin.listTopics().names().get().stream()
          .filter(name -> name.startsWith(prefix))
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Makes a topic; its name is the prefix and {@code suffix}. */
  public String create(String suffix, int partitions) {
    String name = prefix + suffix;
    try {
      admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1))).all().get();
      return name;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    consumer.close();
    admin.close(Duration.ofSeconds(5));
  }

  private void assignAll() {
    Set<TopicPartition> partitions =
        names().stream()
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
            .collect(Collectors.toSet());
    if (!partitions.equals(consumer.assignment())) {
      consumer.assign(partitions);
    }
  }

  private boolean isBehind(TopicPartition partition, long end) {
    return consumer.position(partition) < end;
  }
}
