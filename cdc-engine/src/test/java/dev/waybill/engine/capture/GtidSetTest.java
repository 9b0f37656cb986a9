package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GtidSetTest {

  private static final String A = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final String B = "9f2e6a10-0b1c-11ef-8a55-0242ac120002";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        A + ":1",
        A + ":1-5",
        A + ":1-5:7:9-9223372036854775806",
        A + ":1-5," + B + ":2",
        A + ":1-5:blue:1-3:green:7," + B + ":red:4",
      })
  void the_text_is_the_one_that_the_server_prints(String text) {
    assertThat(GtidSet.parse(text)).hasToString(text);
  }

  @Test
  void what_the_server_prints_for_people_is_read_too() {
    assertThat(GtidSet.parse(B.toUpperCase(java.util.Locale.ROOT) + ":4:2-3,\n" + A + ":1-2:3"))
        .hasToString(A + ":1-3," + B + ":2-4");
    assertThat(GtidSet.parse("  ")).isEqualTo(GtidSet.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        A,
        A + ":",
        A + ":0",
        A + ":5-4",
        A + ":1-",
        A + ":1,",
        A + ":blue",
        A + ":1:blue",
        "," + A + ":1",
        A + ":99999999999999999999",
      })
  void what_is_no_set_is_refused(String text) {
    assertThatThrownBy(() -> GtidSet.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", A, A + ":1-2", A + ":blue:1-2", A + ":b:l:1", "x:1", A + ":2 "})
  void what_is_no_gtid_is_refused(String text) {
    assertThatThrownBy(() -> GtidSet.EMPTY.add(text)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> GtidSet.EMPTY.contains(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_tag_numbers_by_itself() {
    GtidSet set = GtidSet.parse(A + ":1-5").add(A + ":blue:6");
    assertThat(set).hasToString(A + ":1-5:blue:6");
    assertThat(set.contains(A + ":6")).isFalse();
    assertThat(set.contains(A + ":blue:5")).isFalse();
    assertThat(set.contains(A + ":blue:6")).isTrue();
    assertThat(set.containsAll(GtidSet.parse(A + ":blue:6"))).isTrue();
  }

  @Test
  void a_set_stays_as_it_is_when_something_is_added() {
    GtidSet set = GtidSet.parse(A + ":1-5");
    assertThat(set.add(A + ":6")).isEqualTo(GtidSet.parse(A + ":1-6"));
    assertThat(set).hasToString(A + ":1-5");
  }

  @Provide
  Arbitrary<Set<Integer>> numbers() {
    return Arbitraries.integers().between(1, 40).set();
  }

  @Property(tries = 300)
  void it_is_the_set_of_its_numbers(
      @ForAll("numbers") Set<Integer> some, @ForAll("numbers") Set<Integer> others) {
    GtidSet left = of(some);
    GtidSet right = of(others);
    Set<Integer> both = new TreeSet<>(some);
    both.addAll(others);
    assertThat(left.union(right)).isEqualTo(of(both)).hasSameHashCodeAs(of(both));
    assertThat(left.containsAll(right)).isEqualTo(some.containsAll(others));
    for (int number = 1; number <= 41; number++) {
      assertThat(left.contains(A + ":" + number)).isEqualTo(some.contains(number));
    }
    assertThat(GtidSet.parse(left.toString())).isEqualTo(left);
  }

  private static GtidSet of(Set<Integer> numbers) {
    GtidSet set = GtidSet.EMPTY;
    for (int number : List.copyOf(numbers)) {
      set = set.add(A + ":" + number);
    }
    return set;
  }
}
