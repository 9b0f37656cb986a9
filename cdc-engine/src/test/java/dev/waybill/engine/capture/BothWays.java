package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.capture.FirstStart.Rows;
import java.util.List;

/** The two ways on which a row comes to us: the log, and the rows of a first start. */
final class BothWays {

  private BothWays() {}

  /** One row per statement, as both ways show them. */
  static List<OutboxRow> read(Outbox outbox, Source source, String... inserts) throws Exception {
    List<OutboxRow> fromLog;
    try (FirstStart start = source.firstStart(Rows.NONE)) {
      outbox.execute(inserts);
      RecordingHandler handler = new RecordingHandler(start.position());
      try (Reading reading = new Reading(source.capture(start.position(), handler), handler)) {
        reading.awaitEventIds(inserts.length);
        fromLog = handler.changes().stream().map(Change::row).toList();
      }
    }
    try (FirstStart start = source.firstStart(Rows.EXISTING)) {
      List<OutboxRow> fromRows = start.next().stream().map(Change::row).toList();
      assertThat(fromRows).usingRecursiveComparison().isEqualTo(fromLog);
    }
    return fromLog;
  }
}
