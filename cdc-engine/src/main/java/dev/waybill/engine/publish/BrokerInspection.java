package dev.waybill.engine.publish;

import dev.waybill.wire.TopicNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** One look at a cluster, which changes nothing in it. */
final class BrokerInspection {

  private final Admin admin;
  private final String engine;
  private final KafkaProperties properties;

  BrokerInspection(Admin admin, String engine, KafkaProperties properties) {
    this.admin = admin;
    this.engine = engine;
    this.properties = properties;
  }

  BrokerReport report() throws InterruptedException {
    try {
      String cluster = cluster(admin.describeCluster());
      List<String> notes = new ArrayList<>();
      String progress = TopicNames.progress(engine);
      boolean started = exists(progress);
      for (String own : List.of(progress, TopicNames.parked(engine))) {
        if (!exists(own)) {
          notes.add("topic " + own + " does not exist; the engine makes it when it starts");
        }
      }
      return new BrokerReport(
          cluster,
          started ? new ProgressTopic(progress, properties).read().progress() : null,
          notes);
    } catch (KafkaException e) {
      throw new BrokerUnavailableException(
          "The broker at %s cannot be asked: %s"
              .formatted(properties.admin().get("bootstrap.servers"), KafkaFutures.reason(e)),
          e);
    }
  }

  private static String cluster(DescribeClusterResult cluster) throws InterruptedException {
    return "Kafka cluster %s with %d broker(s)"
        .formatted(KafkaFutures.get(cluster.clusterId()), KafkaFutures.get(cluster.nodes()).size());
  }

  private boolean exists(String topic) throws InterruptedException {
    try {
      KafkaFutures.get(admin.describeTopics(Set.of(topic)).allTopicNames());
      return true;
    } catch (UnknownTopicOrPartitionException e) {
      return false;
    }
  }
}
