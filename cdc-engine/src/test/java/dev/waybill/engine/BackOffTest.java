package dev.waybill.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackOffTest {

  private static final BackOff BACK_OFF =
      new BackOff(Duration.ofMillis(100), Duration.ofSeconds(1));

  /** Takes nothing off. */
  private static final RandomGenerator LEAST = () -> 0;

  @Test
  void doublesUpToTheLongest() {
    assertThat(IntStream.of(0, 1, 2, 3, 4, 5, 1_000_000))
        .extracting(failures -> BACK_OFF.pause(failures, LEAST).toMillis())
        .containsExactly(100L, 100L, 200L, 400L, 800L, 1_000L, 1_000L);
  }

  @Test
  void takesOffUpToAHalf() {
    Random random = new Random(7);
    assertThat(IntStream.range(0, 1_000).mapToObj(i -> BACK_OFF.pause(5, random).toMillis()))
        .allMatch(millis -> millis >= 500 && millis <= 1_000)
        .anyMatch(millis -> millis < 600)
        .anyMatch(millis -> millis > 900);
  }

  @Test
  void refusesPausesThatDoNotGrow() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BackOff(Duration.ofSeconds(2), Duration.ofSeconds(1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BackOff(Duration.ZERO, Duration.ofSeconds(1)));
  }
}
