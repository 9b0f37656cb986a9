package dev.waybill.it.container;

import dev.waybill.servers.BrokerServer;
import dev.waybill.servers.FreePort;
import java.util.List;
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

  private ContainerKafka(int port) {
    super(container(port));
    this.port = port;
  }

  /** Returns once clients are served. */
  public static ContainerKafka started() {
    ContainerKafka server = new ContainerKafka(FreePort.next());
    server.start();
    return server;
  }

  // The server owns the container, and closes it.
  @SuppressWarnings("resource")
  private static KafkaContainer container(int port) {
    KafkaContainer container =
        new KafkaContainer("apache/kafka:4.3.1")
            // Its start script changes files that an image may hold as read-only.
            .withCreateContainerCmdModifier(command -> command.withUser("root"))
            .withEnv("KAFKA_NUM_PARTITIONS", "3")
            .withEnv("KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS", "500")
            .withEnv("KAFKA_HEAP_OPTS", "-Xmx512m");
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
