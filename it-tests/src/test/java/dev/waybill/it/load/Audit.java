package dev.waybill.it.load;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.it.world.Published;
import dev.waybill.it.world.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;

/** Compares what was committed with what was published, promise by promise. */
public final class Audit {

  private final Ledger ledger;
  private final List<Published> published;
  private final Map<String, List<Published>> byId = new LinkedHashMap<>();

  public Audit(Ledger ledger, List<Published> published) {
    this.ledger = ledger;
    this.published = List.copyOf(published);
    published.forEach(
        record -> byId.computeIfAbsent(record.id(), unused -> new ArrayList<>()).add(record));
  }

  /** Waits until everything committed is published, for as long as a slow machine may take. */
  public static Audit await(Ledger ledger, Topics topics) {
    Audit[] last = new Audit[1];
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(100))
        .pollInSameThread()
        .untilAsserted(
            () -> {
              last[0] = new Audit(ledger, topics.read());
              last[0].assertNothingLost();
            });
    return last[0];
  }

  /** G1 and G6, G1's other half, G2, G3, and that repeats are copies. */
  public void assertAll() {
    assertNothingLost();
    assertNoPhantom();
    assertOrderPerAggregate();
    assertPayloadsAreUnchanged();
    assertRepeatsAreCopies();
  }

  /** Committed ids that are not in Kafka. */
  public Set<String> missing() {
    Set<String> missing = new TreeSet<>(ledger.committed().keySet());
    missing.removeAll(byId.keySet());
    return missing;
  }

  /** How many records repeat an earlier one. */
  public int repeats() {
    return published.size() - byId.size();
  }

  public Audit assertNothingLost() {
    assertThat(missing()).as("committed and not published").isEmpty();
    return this;
  }

  public Audit assertNoPhantom() {
    Set<String> phantoms = new HashSet<>(byId.keySet());
    phantoms.removeAll(ledger.committed().keySet());
    assertThat(phantoms).as("published and not committed").isEmpty();
    return this;
  }

  public Audit assertOrderPerAggregate() {
    Map<String, List<String>> seen = new LinkedHashMap<>();
    Map<String, LoadEvent> committed = ledger.committed();
    for (String id : byId.keySet()) {
      LoadEvent event = committed.get(id);
      if (event != null) {
        seen.computeIfAbsent(event.aggregate(), unused -> new ArrayList<>()).add(id);
      }
    }
    assertThat(seen).as("first occurrences per aggregate").isEqualTo(ledger.idsByAggregate());
    assertOnePartitionPerKey();
    return this;
  }

  public Audit assertPayloadsAreUnchanged() {
    Map<String, LoadEvent> committed = ledger.committed();
    for (Published record : published) {
      LoadEvent event = committed.get(record.id());
      if (event != null) {
        assertThat(record.text()).as(record.id()).isEqualTo(event.payload());
        assertThat(record.keyText()).as(record.id()).isEqualTo(event.aggregateId());
      }
    }
    return this;
  }

  public Audit assertRepeatsAreCopies() {
    byId.values()
        .forEach(
            copies ->
                assertThat(copies)
                    .as("repeats of %s", copies.get(0).id())
                    .allMatch(copy -> copy.isCopyOf(copies.get(0))));
    return this;
  }

  public Audit assertNoRepeats() {
    assertThat(repeats()).as("records that repeat an earlier one").isZero();
    return this;
  }

  private void assertOnePartitionPerKey() {
    published.stream()
        .collect(groupingBy(record -> record.topic() + "/" + record.keyText()))
        .forEach(
            (key, records) ->
                assertThat(records.stream().map(Published::partition).distinct())
                    .as("partitions of %s", key)
                    .hasSize(1));
  }
}
