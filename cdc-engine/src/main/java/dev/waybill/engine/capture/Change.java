package dev.waybill.engine.capture;

import java.time.Instant;
import java.util.Objects;

/**
 * An outbox row seen in the log or in the snapshot of a first start.
 *
 * @param table the table it was inserted into, as {@code schema.table}
 * @param row what the columns held, not validated
 * @param committedAt the commit time of its transaction; the time of reading for rows of a snapshot
 */
public record Change(String table, OutboxRow row, Instant committedAt) {

  public Change {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(row, "row");
    Objects.requireNonNull(committedAt, "committedAt");
  }
}
