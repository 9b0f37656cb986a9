package dev.waybill.outbox;

import dev.waybill.event.OutboxEvent;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.List;

/** What the database said, with the events that it was about. */
final class AppendFailure {

  private AppendFailure() {}

  /** Keeps the SQLSTATE and the vendor's code, by which callers decide whether to try again. */
  static SQLException of(String table, List<OutboxEvent> events, SQLException failure) {
    SQLException said = saidByServer(failure);
    return new SQLException(
        "%s not appended to %s, the transaction can only be rolled back: %s"
            .formatted(which(events, said), table, said.getMessage()),
        failure.getSQLState(),
        failure.getErrorCode(),
        failure);
  }

  /** A batch's own message repeats the whole statement. */
  private static SQLException saidByServer(SQLException failure) {
    return failure instanceof BatchUpdateException && failure.getNextException() != null
        ? failure.getNextException()
        : failure;
  }

  /** The driver does not tell which row failed, but the server often names its id. */
  private static String which(List<OutboxEvent> events, SQLException said) {
    String message = String.valueOf(said.getMessage());
    return events.stream()
        .filter(event -> events.size() == 1 || message.contains(event.eventId()))
        .findFirst()
        .map(event -> "Event " + event.describe() + " was")
        .orElseGet(
            () ->
                "%d events from %s to %s were"
                    .formatted(
                        events.size(),
                        events.get(0).describe(),
                        events.get(events.size() - 1).describe()));
  }
}
