package dev.waybill.event;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects what is wrong with one event, so that all is said together. Callers without null checks
 * of their own are told which column is null, too.
 */
final class EventProblems {

  /** What PostgreSQL's timestamptz holds. */
  private static final Instant FIRST = Instant.parse("-4712-01-01T00:00:00Z");

  private static final Instant LAST = Instant.parse("+294276-12-31T23:59:59.999999Z");

  private final List<String> found = new ArrayList<>(0);

  void text(String column, @Nullable String text, int max) {
    add(column, text == null ? "is null" : EventRules.textProblem(text, max));
  }

  void textIfThere(String column, @Nullable String text, int max) {
    if (text != null) {
      text(column, text, max);
    }
  }

  void version(String column, @Nullable Long version) {
    if (version != null && version < 1) {
      add(column, "is " + version + ", versions begin at 1");
    }
  }

  /** Without a topic of its own the event goes to one that is made of the aggregate type. */
  void topic(@Nullable String topic, @Nullable String aggregateType) {
    if (topic != null) {
      add("topic", EventRules.eventTopicProblem(topic));
    } else if (aggregateType != null) {
      add("aggregate_type", EventRules.topicCharacterProblem(aggregateType));
    }
  }

  void payload(@Nullable Payload payload) {
    if (payload != null) {
      add("payload", payload.match(json -> JsonText.problem(json.text()), binary -> null));
    }
  }

  void headers(Map<String, String> headers) {
    headers.forEach(this::header);
  }

  private void header(@Nullable String name, @Nullable String value) {
    if (name == null || value == null) {
      add("headers", "has a null: '" + name + "' = '" + value + "'");
      return;
    }
    String called = "headers: '" + EventRules.shortened(name) + "'";
    if (EventRules.isReservedHeader(name)) {
      add(called, "is reserved: ce_* and content-type are written by Waybill");
    }
    if (name.isEmpty()) {
      add(called, "is empty");
    }
    add(called, EventRules.characterProblem(name));
    add("the value of " + called, EventRules.characterProblem(value));
  }

  void time(String column, Instant time) {
    if (time.isBefore(FIRST) || time.isAfter(LAST)) {
      add(column, "is " + time + ", which the database cannot hold");
    }
  }

  void throwIfAny(String event) {
    if (!found.isEmpty()) {
      throw new InvalidEventException(event, found);
    }
  }

  private void add(String column, @Nullable String problem) {
    if (problem != null) {
      found.add(column + " " + problem);
    }
  }
}
