package dev.waybill.consumer;

import static dev.waybill.consumer.Events.event;
import static org.apache.kafka.common.acl.AclOperation.ALTER;
import static org.apache.kafka.common.acl.AclOperation.ALTER_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.CLUSTER_ACTION;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.ResourceType.CLUSTER;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.consumer.handle.BackOff;
import dev.waybill.consumer.handle.RetryPolicy;
import dev.waybill.servers.KafkaBroker;
import dev.waybill.wire.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

/** The broker is waited for, too. */
class BrokerOutageTest {

  private final Outcomes outcomes = new Outcomes();

  @Test
  void c67_theBrokerGoesWhileAnEventIsToBeParkedAndComesBack() throws Exception {
    try (KafkaBroker broker = KafkaBroker.builder().start();
        TestBed bed = TestBed.open(broker, 1)) {
      bed.publishTo(0, event("e1"), event("poison"), event("e3"));
      bed.start(
          bed.consumer("billing")
              .kafka(Map.of("reconnect.backoff.max.ms", 500))
              .parkTimeout(Duration.ofSeconds(2))
              .listener(outcomes)
              .onAny(
                  (event, tx) -> {
                    if (event.id().equals("poison")) {
                      if (broker.isRunning() && outcomes.count("retry poison") == 0) {
                        broker.kill();
                      }
                      throw new IllegalStateException("poison");
                    }
                    TestBed.write("billing", event, tx);
                  }));
      // Two attempts of the handler's, then one to park.
      await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("retry poison") >= 3);
      assertThat(bed.effects("billing")).containsExactly("e1");
      broker.start();
      bed.awaitCommitted("billing", 0, 3);
      assertThat(bed.awaitParked("billing", 1)).hasSize(1);
      assertThat(bed.effects("billing")).containsExactly("e1", "e3");
    }
  }

  @Test
  void c67_aParkTopicMadeBeforehandNeedsNoPermissionToCreateAndTheMissingOneIsWaitedFor()
      throws Exception {
    try (KafkaBroker broker = brokerWithPermissions();
        TestBed bed = TestBed.open(broker, 1)) {
      String parkTopic = TopicNames.parked(bed.topic(), bed.group("billing"));
      bed.createTopic(parkTopic, 1);
      allow(bed, CLUSTER, "kafka-cluster", CLUSTER_ACTION, ALTER, DESCRIBE, ALTER_CONFIGS);
      allow(bed, TOPIC, parkTopic, DESCRIBE);
      bed.publishTo(0, event("poison"), event("e2"));
      bed.start(
          bed.consumer("billing")
              .retry(RetryPolicy.never())
              .listener(outcomes)
              .onAny(
                  (event, tx) -> {
                    if (event.id().equals("poison")) {
                      throw new IllegalStateException("poison");
                    }
                  }));
      await().atMost(TestBed.PATIENCE).until(() -> outcomes.count("retry poison") >= 2);
      assertThat(outcomes.retries().get(0).cause())
          .hasMessageContaining("allow DESCRIBE and WRITE on that topic");
      allow(bed, TOPIC, parkTopic, WRITE);
      bed.awaitCommitted("billing", 0, 2);
      assertThat(outcomes.told()).endsWith("parked FAILED poison", "handled e2");
    }
  }

  /** All is allowed but on what there are permissions for. */
  private static KafkaBroker brokerWithPermissions() {
    return KafkaBroker.builder()
        .setting("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
        .setting("allow.everyone.if.no.acl.found", "true")
        .setting("auto.create.topics.enable", "false")
        .setting("log.retention.ms", "-1")
        .start();
  }

  private static void allow(TestBed bed, ResourceType type, String name, AclOperation... operations)
      throws Exception {
    ResourcePattern resource = new ResourcePattern(type, name, PatternType.LITERAL);
    List<AclBinding> permissions = new ArrayList<>();
    for (AclOperation operation : operations) {
      permissions.add(
          new AclBinding(
              resource,
              new AccessControlEntry("User:ANONYMOUS", "*", operation, AclPermissionType.ALLOW)));
    }
    bed.admin().createAcls(permissions).all().get();
  }

  @Test
  void aBrokerThatCannotEvenBeResolvedIsWaitedFor() throws Exception {
    try (TestBed bed = TestBed.open(1)) {
      EventConsumer consumer =
          bed.start(
              bed.consumer("billing")
                  .kafka(Map.of("bootstrap.servers", "no-such-host.invalid:9092"))
                  .listener(outcomes)
                  .onAny((event, tx) -> {}));
      await().atMost(TestBed.PATIENCE).until(() -> consumer.state() == ConsumerState.WAITING);
      consumer.close();
      assertThat(consumer.state()).isEqualTo(ConsumerState.CLOSED);
    }
  }

  /** The broker's limit is 6 s; the pause before the next try is longer than close() waits. */
  @Test
  void aBrokerThatRefusesTheSettingsIsNamedAndEndsWithClose() throws Exception {
    try (TestBed bed = TestBed.open(1);
        ConsumerLog log = ConsumerLog.open()) {
      EventConsumer consumer =
          bed.start(
              bed.consumer("billing")
                  .kafka(Map.of("session.timeout.ms", 1_000, "heartbeat.interval.ms", 300))
                  .outageBackOff(new BackOff(Duration.ofMinutes(10), Duration.ofMinutes(10)))
                  .listener(outcomes)
                  .onAny((event, tx) -> {}));
      await().atMost(TestBed.PATIENCE).until(() -> consumer.state() == ConsumerState.REFUSED);
      assertThat(log.warnings())
          .anySatisfy(
              warning ->
                  assertThat(warning)
                      .contains("does not admit us to group " + bed.group("billing"))
                      .contains("session timeout"));
      consumer.close();
      assertThat(consumer.state()).isEqualTo(ConsumerState.CLOSED);
    }
  }

  @Test
  void aConsumerThatIsAdmittedAfterAllRuns() throws Exception {
    try (KafkaBroker broker = brokerWithPermissions();
        TestBed bed = TestBed.open(broker, 1)) {
      allow(bed, CLUSTER, "kafka-cluster", CLUSTER_ACTION, ALTER, DESCRIBE, ALTER_CONFIGS);
      allow(bed, GROUP, bed.group("billing"), DESCRIBE);
      bed.publishTo(0, event("e1"));
      EventConsumer consumer =
          bed.start(
              bed.consumer("billing")
                  .listener(outcomes)
                  .onAny((event, tx) -> TestBed.write("billing", event, tx)));
      await().atMost(TestBed.PATIENCE).until(() -> consumer.state() == ConsumerState.REFUSED);
      allow(bed, GROUP, bed.group("billing"), READ);
      bed.awaitEffects("billing", "e1");
      assertThat(consumer.state()).isEqualTo(ConsumerState.RUNNING);
    }
  }

  @Test
  void aTopicThatDoesNotExistYetIsWaitedForAndNotMade() throws Exception {
    try (TestBed bed = TestBed.open(1)) {
      String later = bed.topic() + ".later";
      bed.start(
          bed.consumer("billing")
              .topics(later)
              .kafka(Map.of("metadata.max.age.ms", 500))
              .listener(outcomes)
              .onAny((event, tx) -> TestBed.write("billing", event, tx)));
      bed.publishTo(0, event("e1"));
      bed.awaitCommitted("billing", 0, 1);
      assertThat(bed.topics()).doesNotContain(later);
      bed.createTopic(later, 1);
      bed.publish(later, 0, event("e2"));
      bed.awaitEffects("billing", "e1", "e2");
    }
  }
}
