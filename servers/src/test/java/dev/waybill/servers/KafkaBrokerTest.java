package dev.waybill.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KafkaBrokerTest {

  @Test
  void keepsAddressAndDataThroughStopAndKill() throws Exception {
    try (KafkaBroker broker = KafkaBroker.builder().start()) {
      send(broker, "first");
      broker.stop();
      assertThat(broker.isRunning()).isFalse();
      broker.start();
      send(broker, "after a stop");
      broker.kill();
      broker.start();
      send(broker, "after a kill");

      assertThat(read(broker, 3)).containsExactly("first", "after a stop", "after a kill");
    }
  }

  @Test
  void leavesNothingBehind() {
    KafkaBroker broker = KafkaBroker.builder().setting("num.partitions", "3").start();
    Path folder = broker.log().getParent();

    broker.close();
    broker.close();

    assertThat(broker.isRunning()).isFalse();
    assertThat(Files.exists(folder)).isFalse();
  }

  private static void send(KafkaBroker broker, String value)
      throws ExecutionException, InterruptedException {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer
          .send(new ProducerRecord<>("kept", 0, null, value.getBytes(StandardCharsets.UTF_8)))
          .get();
    }
  }

  private static List<String> read(KafkaBroker broker, int count) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers(), "auto.offset.reset", "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(new TopicPartition("kept", 0)));
      List<String> values = new ArrayList<>();
      long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (values.size() < count && System.nanoTime() < deadline) {
        consumer
            .poll(Duration.ofSeconds(1))
            .forEach(record -> values.add(new String(record.value(), StandardCharsets.UTF_8)));
      }
      return values;
    }
  }
}
