package dev.waybill.engine.publish;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RefusalsTest {

  private static final TopicLimit ASSUMED = new TopicLimit(1_000, "assumed");

  private final Refusals refusals = new Refusals();

  @Test
  void theSmallestSizeThatWasRefusedCounts() {
    refusals.addTooLarge("t", 500, ASSUMED);
    refusals.addTooLarge("t", 700, ASSUMED);
    assertThat(refusals.correct("t", ASSUMED).bytes()).isEqualTo(499);

    refusals.addTooLarge("t", 300, ASSUMED);
    assertThat(refusals.correct("t", ASSUMED).bytes()).isEqualTo(299);
    assertThat(refusals.correct("other", ASSUMED)).isEqualTo(ASSUMED);
  }

  @Test
  void aLimitThatHasChangedSinceIsBelievedAgain() {
    refusals.addTooLarge("t", 500, ASSUMED);
    TopicLimit raised = new TopicLimit(1_000, "max.message.bytes");

    assertThat(refusals.correct("t", raised)).isEqualTo(raised);
    assertThat(refusals.correct("t", ASSUMED)).isEqualTo(ASSUMED);
  }
}
