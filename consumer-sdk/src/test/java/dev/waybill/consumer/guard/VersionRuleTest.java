package dev.waybill.consumer.guard;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class VersionRuleTest {

  @Property
  void whatIsAtOrBelowTheLastIsStale(
      @ForAll long last,
      @ForAll @LongRange(min = 0, max = 1000) long below,
      @ForAll GapPolicy gaps) {
    long version = last - below > last ? Long.MIN_VALUE : last - below;
    assertThat(VersionRule.judge(version, last, gaps)).isEqualTo(new Verdict.Stale(last));
  }

  @Property
  void theNextIsAdmitted(
      @ForAll @LongRange(max = Long.MAX_VALUE - 1) long last, @ForAll GapPolicy gaps) {
    assertThat(VersionRule.judge(last + 1, last, gaps))
        .isEqualTo(new Verdict.Admitted(Passage.IN_ORDER));
  }

  @Property
  void aGapFollowsThePolicy(
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE - 1000) long last,
      @ForAll @LongRange(min = 2, max = 1000) long skip) {
    assertThat(VersionRule.judge(last + skip, last, GapPolicy.ACCEPT))
        .isEqualTo(new Verdict.Admitted(Passage.ACROSS_GAP));
    assertThat(VersionRule.judge(last + skip, last, GapPolicy.PARK))
        .isEqualTo(new Verdict.Gap(last, GapPolicy.PARK));
    assertThat(VersionRule.judge(last + skip, last, GapPolicy.FAIL))
        .isEqualTo(new Verdict.Gap(last, GapPolicy.FAIL));
  }

  @Test
  void theLargestVersionIsNotTheOneBeforeTheSmallest() {
    assertThat(VersionRule.judge(Long.MIN_VALUE, Long.MAX_VALUE, GapPolicy.PARK))
        .isEqualTo(new Verdict.Stale(Long.MAX_VALUE));
    assertThat(VersionRule.judge(Long.MAX_VALUE, Long.MIN_VALUE, GapPolicy.PARK))
        .isEqualTo(new Verdict.Gap(Long.MIN_VALUE, GapPolicy.PARK));
  }
}
