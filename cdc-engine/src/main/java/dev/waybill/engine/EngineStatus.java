package dev.waybill.engine;

import java.time.Instant;
import java.util.Objects;

/**
 * A state and what led to it.
 *
 * @param reason a sentence for people: what is being waited for, why it failed; empty where the
 *     state says it all
 * @param since when the state was entered; a reason may be newer
 */
public record EngineStatus(EngineState state, String reason, Instant since) {

  public EngineStatus {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(since, "since");
  }

  EngineStatus because(String newReason) {
    return new EngineStatus(state, newReason, since);
  }
}
