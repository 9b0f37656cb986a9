package dev.waybill.engine.acknowledge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.engine.capture.CapturedBatch;
import dev.waybill.engine.capture.Change;
import dev.waybill.engine.capture.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AcknowledgerTest {

  private final List<String> steps = new ArrayList<>();
  private final Acknowledger acknowledger =
      new Acknowledger(
          position -> steps.add("store " + position.toMap().get("at")),
          new At("0"),
          () -> steps.add("before"));

  @Test
  void theSourceForgetsOnlyWhatIsStored() throws Exception {
    acknowledger.acknowledge(new Batch("1"));

    assertThat(steps).containsExactly("store 1", "before", "acknowledge 1");
  }

  @Test
  void aPositionThatIsStoredIsNotStoredAgain() throws Exception {
    acknowledger.acknowledge(new Batch("0"));
    acknowledger.acknowledge(new Batch("1"));
    acknowledger.acknowledge(new Batch("1"));

    assertThat(steps)
        .containsExactly(
            "before",
            "acknowledge 0",
            "store 1",
            "before",
            "acknowledge 1",
            "before",
            "acknowledge 1");
  }

  @Test
  void whatCouldNotBeStoredIsNotAcknowledgedAndStoredNextTime() throws Exception {
    List<IllegalStateException> failures = new ArrayList<>(List.of(new IllegalStateException()));
    Acknowledger failing =
        new Acknowledger(
            position -> {
              if (!failures.isEmpty()) {
                throw failures.remove(0);
              }
              steps.add("store");
            },
            new At("0"),
            () -> {});

    assertThatThrownBy(() -> failing.acknowledge(new Batch("1")))
        .isInstanceOf(IllegalStateException.class);
    assertThat(steps).isEmpty();
    failing.acknowledge(new Batch("1"));
    assertThat(steps).containsExactly("store", "acknowledge 1");
  }

  private record At(String at) implements Position {
    @Override
    public Map<String, String> toMap() {
      return Map.of("at", at);
    }
  }

  private final class Batch implements CapturedBatch {

    private final String at;

    Batch(String at) {
      this.at = at;
    }

    @Override
    public List<Change> changes() {
      return List.of();
    }

    @Override
    public Position position() {
      return new At(at);
    }

    @Override
    public void acknowledge() {
      steps.add("acknowledge " + at);
    }
  }
}
