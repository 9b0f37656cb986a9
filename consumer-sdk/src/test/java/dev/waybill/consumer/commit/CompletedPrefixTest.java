package dev.waybill.consumer.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class CompletedPrefixTest {

  private final CompletedPrefix prefix = new CompletedPrefix();

  @Test
  void hasNothingToCommitBeforeAnythingWasTaken() {
    assertThat(prefix.next()).isEqualTo(OptionalLong.empty());
  }

  @Test
  void c65_staysBelowASlowRecordHoweverManyAfterItAreDone() {
    for (long offset = 4; offset <= 20; offset++) {
      prefix.polled(offset);
    }
    for (long offset = 5; offset <= 20; offset++) {
      prefix.completed(offset);
    }
    assertThat(prefix.next()).hasValue(4);
    prefix.completed(4);
    assertThat(prefix.next()).hasValue(21);
  }

  @Test
  void goesOverMarkersOnceAllRecordsAreDone() {
    prefix.polled(7);
    prefix.reached(12);
    assertThat(prefix.next()).hasValue(7);
    prefix.completed(7);
    assertThat(prefix.next()).hasValue(12);
  }

  @Test
  void refusesASecondOutcome() {
    prefix.polled(1);
    prefix.completed(1);
    assertThatThrownBy(() -> prefix.completed(1)).hasMessageContaining("Offset 1");
  }

  @Test
  void refusesOffsetsThatDoNotAscend() {
    prefix.polled(3);
    assertThatThrownBy(() -> prefix.polled(3)).hasMessageContaining("Offset 3");
  }

  @Property
  void neverPassesAnUnfinishedRecordWhateverTheOrder(
      @ForAll @Size(min = 1, max = 40) Set<@LongRange(min = 0, max = 100) Long> offsets,
      @ForAll long seed) {
    CompletedPrefix prefix = new CompletedPrefix();
    List<Long> ascending = new ArrayList<>(new TreeSet<>(offsets));
    ascending.forEach(prefix::polled);
    TreeSet<Long> unfinished = new TreeSet<>(offsets);
    List<Long> order = new ArrayList<>(offsets);
    Collections.shuffle(order, new Random(seed));
    long before = prefix.next().orElseThrow();
    for (long offset : order) {
      prefix.completed(offset);
      unfinished.remove(offset);
      long next = prefix.next().orElseThrow();
      assertThat(next).isGreaterThanOrEqualTo(before);
      assertThat(unfinished).allMatch(open -> open >= next);
      before = next;
    }
    assertThat(before).isEqualTo(ascending.get(ascending.size() - 1) + 1);
  }
}
