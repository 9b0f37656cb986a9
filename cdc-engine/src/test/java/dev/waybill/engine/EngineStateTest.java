package dev.waybill.engine;

import static dev.waybill.engine.EngineState.FAILED;
import static dev.waybill.engine.EngineState.FIRST_START;
import static dev.waybill.engine.EngineState.NEW;
import static dev.waybill.engine.EngineState.STARTING;
import static dev.waybill.engine.EngineState.STOPPED;
import static dev.waybill.engine.EngineState.STOPPING;
import static dev.waybill.engine.EngineState.STREAMING;
import static dev.waybill.engine.EngineState.WAITING_FOR_BROKER;
import static dev.waybill.engine.EngineState.WAITING_FOR_SOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EngineStateTest {

  private static Set<EngineState> after(EngineState state) {
    return Arrays.stream(EngineState.values())
        .filter(next -> next.mayFollow(state))
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(EngineState.class)));
  }

  @Test
  void goesFromTheStartToTheEndOnlyForwards() {
    assertThat(after(NEW)).containsExactlyInAnyOrder(STARTING, STOPPED);
    assertThat(after(STOPPING)).containsExactly(STOPPED);
    assertThat(after(STOPPED)).isEmpty();
    assertThat(after(FAILED)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineState.class,
      names = {
        "STARTING",
        "WAITING_FOR_BROKER",
        "WAITING_FOR_SOURCE",
        "RECOVERING",
        "FIRST_START",
        "STREAMING"
      })
  void mayStopFailWaitAndStreamWhileItRuns(EngineState state) {
    Set<EngineState> expected = EnumSet.complementOf(EnumSet.of(NEW, STARTING, STOPPED, state));
    assertThat(after(state)).isEqualTo(expected);
  }

  @Test
  void readsLikeWordsInHealthAndLog() {
    assertThat(List.of(WAITING_FOR_BROKER, WAITING_FOR_SOURCE, FIRST_START, STREAMING))
        .map(EngineState::toString)
        .containsExactly("waiting-for-broker", "waiting-for-source", "first-start", "streaming");
  }
}
