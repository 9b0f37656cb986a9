package dev.waybill.it.load;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What became of every event that was inserted. Safe for many threads; events of one aggregate are
 * entered in the order of their commits if one thread commits them all.
 */
public final class Ledger {

  private final Map<String, LoadEvent> committed = new LinkedHashMap<>();
  private final Map<String, List<String>> idsByAggregate = new LinkedHashMap<>();
  private final Set<String> rolledBack = new HashSet<>();

  /** Enters events of one transaction, in the order in which they were inserted. */
  public synchronized void committed(List<LoadEvent> events) {
    for (LoadEvent event : events) {
      committed.put(event.id(), event);
      idsByAggregate
          .computeIfAbsent(event.aggregate(), unused -> new ArrayList<>())
          .add(event.id());
    }
  }

  public synchronized void rolledBack(List<LoadEvent> events) {
    events.forEach(event -> rolledBack.add(event.id()));
  }

  /** All committed events by their ids. */
  public synchronized Map<String, LoadEvent> committed() {
    return new LinkedHashMap<>(committed);
  }

  /** The ids of each aggregate's committed events, in commit order. */
  public synchronized Map<String, List<String>> idsByAggregate() {
    Map<String, List<String>> copy = new LinkedHashMap<>();
    idsByAggregate.forEach((aggregate, ids) -> copy.put(aggregate, List.copyOf(ids)));
    return copy;
  }

  public synchronized Set<String> rolledBack() {
    return Set.copyOf(rolledBack);
  }

  public synchronized int size() {
    return committed.size();
  }
}
