package dev.waybill.it.container;

import dev.waybill.servers.BrokerServer;
import dev.waybill.servers.FreePort;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.testcontainers.kafka.KafkaContainer;

/** Kafka 4.3 as its makers package it. */
public final class ContainerKafka extends ContainerServer implements BrokerServer {

  private static final int KAFKA = 9092;

  private final int port;

  private ContainerKafka(int port, Map<String, String> settings) {
    super(container(port, settings));
    this.port = port;
  }

  /** Returns once clients are served; settings as in server.properties. */
  public static ContainerKafka started(Map<String, String> settings) {
    ContainerKafka server = new ContainerKafka(FreePort.next(), settings);
    server.start();
    return server;
  }

  // The server owns the container, and closes it.
  @SuppressWarnings("resource")
  private static KafkaContainer container(int port, Map<String, String> settings) {
    KafkaContainer container =
        new KafkaContainer("apache/kafka:4.3.1")
            .withEnv("KAFKA_NUM_PARTITIONS", "3")
            .withEnv("KAFKA_HEAP_OPTS", "-Xmx512m");
    settings.forEach(
        (name, value) ->
            container.withEnv("KAFKA_" + name.toUpperCase(Locale.ROOT).replace('.', '_'), value));
    container.setPortBindings(List.of(port + ":" + KAFKA));
    return container;
  }

  @Override
  boolean isReady() {
    try (Admin admin =
        Admin.create(
            Map.of(
                "bootstrap.servers",
                bootstrapServers(),
                "default.api.timeout.ms",
                "5000",
                "request.timeout.ms",
                "3000"))) {
      return !admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).isEmpty();
    } catch (ExecutionException | TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }
}
