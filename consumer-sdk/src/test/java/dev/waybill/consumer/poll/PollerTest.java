package dev.waybill.consumer.poll;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.consumer.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PollerTest {

  private static final Partition PARTITION = new Partition("events.order", 0);

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void whatCannotBeHeldEndsTheMembershipAndNothingElse(String protocol) {
    Subscription subscription =
        new Subscription(
            "billing",
            List.of("events.order"),
            Map.of(
                "bootstrap.servers",
                TestServers.kafka().bootstrapServers(),
                "group.protocol",
                protocol));
    Poller poller = new Poller(subscription, new Nobodys(), Duration.ofSeconds(5));
    poller.hold(Set.of(PARTITION), Set.of(PARTITION));
    poller.close();
    assertThatThrownBy(() -> poller.hold(Set.of(), Set.of(PARTITION)))
        .isInstanceOf(PollFailedException.class)
        .hasMessageContaining("not held");
  }

  private static final class Nobodys implements Assignments {

    @Override
    public void assigned(Set<Partition> partitions) {}

    @Override
    public void revoked(Poller poller, Set<Partition> partitions) {}

    @Override
    public void lost(Set<Partition> partitions) {}
  }
}
