package dev.waybill.engine.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.KafkaBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What the tests do to a broker beside publishing, as an operator and as a reader. */
final class Cluster implements AutoCloseable {

  private final KafkaBroker broker;
  private final Admin admin;

  Cluster(KafkaBroker broker) {
    this.broker = broker;
    this.admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  /** Events of the tests are older than a broker keeps by default. */
  static KafkaBroker.Builder forever() {
    return KafkaBroker.builder().setting("log.retention.ms", "-1");
  }

  /** A broker that makes no topics by itself and knows permissions; without any all is allowed. */
  static KafkaBroker strictBroker() {
    return forever()
        .setting("auto.create.topics.enable", "false")
        .setting("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
        .setting("allow.everyone.if.no.acl.found", "true")
        .setting("log.cleaner.backoff.ms", "100")
        .start();
  }

  /** With everything that has a default left at it. */
  static PublishConfig config(String engine, Map<String, String> kafka) {
    return new PublishConfig(
        engine,
        kafka,
        OnUnpublishable.PARK,
        PublishConfig.BROKER_DEFAULT,
        PublishConfig.DEFAULT_KEEP_ALIVE);
  }

  KafkaBroker broker() {
    return broker;
  }

  void create(String topic, int partitions, Map<String, String> configs) {
    NewTopic wanted = new NewTopic(topic, Optional.of(partitions), Optional.empty());
    get(admin.createTopics(List.of(wanted.configs(configs))).all());
  }

  void delete(String topic) {
    get(admin.deleteTopics(List.of(topic)).all());
  }

  void configure(String topic, String name, String value) {
    AlterConfigOp set = new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
    get(admin.incrementalAlterConfigs(Map.of(resource(topic), List.of(set))).all());
  }

  String config(String topic, String name) {
    return found(get(admin.describeConfigs(List.of(resource(topic))).all()), resource(topic))
        .get(name)
        .value();
  }

  int partitions(String topic) {
    return found(get(admin.describeTopics(List.of(topic)).allTopicNames()), topic)
        .partitions()
        .size();
  }

  /** From now on nothing but these operations is allowed on the topic. */
  void allowOnly(String topic, AclOperation... operations) {
    List<AclBinding> acls = new ArrayList<>();
    for (AclOperation operation : operations) {
      acls.add(acl(topic, "User:ANONYMOUS", operation));
    }
    acls.add(acl(topic, "User:somebody-else", AclOperation.ALL));
    get(admin.createAcls(acls).all());
    await().until(() -> allowed(topic).equals(Set.of(operations)));
  }

  /** The topic in question is waited for, since brokers learn of permissions a little later. */
  void allowAll(String topic) {
    get(admin.deleteAcls(List.of(AclBindingFilter.ANY)).all());
    await().until(() -> allowed(topic).contains(AclOperation.WRITE));
  }

  private Set<AclOperation> allowed(String topic) {
    DescribeTopicsOptions options = new DescribeTopicsOptions().includeAuthorizedOperations(true);
    return found(get(admin.describeTopics(List.of(topic), options).allTopicNames()), topic)
        .authorizedOperations();
  }

  /** Sets the limit, and returns once the broker keeps to it; leaves records without headers. */
  void limit(String topic, int limit, int probe, boolean taken) {
    configure(topic, "max.message.bytes", Integer.toString(limit));
    byte[] bytes = new byte[probe];
    new Random(1).nextBytes(bytes);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      await().until(() -> takes(producer, new ProducerRecord<>(topic, bytes)) == taken);
    }
  }

  private static boolean takes(
      KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record)
      throws InterruptedException {
    try {
      producer.send(record).get();
      return true;
    } catch (ExecutionException e) {
      return false;
    }
  }

  private static AclBinding acl(String topic, String user, AclOperation operation) {
    return new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
        new AccessControlEntry(user, "*", operation, AclPermissionType.ALLOW));
  }

  /** Everything that {@code read_committed} readers see of a topic, partition by partition. */
  List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers",
            broker.bootstrapServers(),
            "isolation.level",
            "read_committed",
            "fetch.max.bytes",
            20_000_000,
            "max.partition.fetch.bytes",
            20_000_000);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(p -> new TopicPartition(topic, p.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      return readToEnd(consumer, partitions);
    }
  }

  private static List<ConsumerRecord<byte[], byte[]>> readToEnd(
      KafkaConsumer<byte[], byte[]> consumer, Collection<TopicPartition> partitions) {
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    while (partitions.stream().anyMatch(p -> consumer.position(p) < found(ends, p))) {
      consumer.poll(Duration.ofMillis(100)).forEach(records::add);
    }
    return records;
  }

  /** The values of {@link #read} as text. */
  List<String> values(String topic) {
    return read(topic).stream().map(r -> new String(r.value(), UTF_8)).toList();
  }

  static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(Objects.requireNonNull(header.value()), UTF_8);
  }

  /** Every client of a publisher has ended, its thread with it. */
  static void requireNoClientLeft() {
    await()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.contains("waybill-")));
  }

  private static ConfigResource resource(String topic) {
    return new ConfigResource(ConfigResource.Type.TOPIC, topic);
  }

  private static <K, V> V found(Map<K, V> map, K key) {
    return Objects.requireNonNull(map.get(key), () -> String.valueOf(key));
  }

  private static <T> T get(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    admin.close();
    broker.close();
  }
}
