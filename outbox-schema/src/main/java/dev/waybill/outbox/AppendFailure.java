package dev.waybill.outbox;

import dev.waybill.event.OutboxEvent;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What the database said, with the events that it was about. */
final class AppendFailure {

  private AppendFailure() {}

  /** Keeps the SQLSTATE and the vendor's code, by which callers decide whether to try again. */
  static SQLException of(
      String table, String whatIsLeft, List<OutboxEvent> events, SQLException failure) {
    SQLException said = saidByServer(failure);
    return new SQLException(
        "%s not appended to %s, %s: %s"
            .formatted(which(events, said), table, whatIsLeft, said.getMessage()),
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

  private static String which(List<OutboxEvent> events, SQLException said) {
    return culprit(events, String.valueOf(said.getMessage()))
        .map(event -> "Event " + event.describe() + " was")
        .orElseGet(
            () ->
                "%d events from %s to %s were"
                    .formatted(
                        events.size(),
                        events.get(0).describe(),
                        events.get(events.size() - 1).describe()));
  }

  /**
   * The driver does not tell which row failed, but the server often quotes its id. An id that is
   * part of a longer one, or beside another one, proves nothing: then nobody is accused.
   */
  private static Optional<OutboxEvent> culprit(List<OutboxEvent> events, String message) {
    if (events.size() == 1) {
      return Optional.of(events.get(0));
    }
    List<OutboxEvent> quoted =
        events.stream().filter(event -> quotes(message, event.eventId())).toList();
    return quoted.stream()
        .max(Comparator.comparingInt(event -> event.eventId().length()))
        .filter(
            longest ->
                quoted.stream().allMatch(other -> longest.eventId().contains(other.eventId())));
  }

  /** Whether {@code id} stands somewhere in {@code message} with no letter or digit around it. */
  private static boolean quotes(String message, String id) {
    return Pattern.compile("(?<![\\p{L}\\p{N}])" + Pattern.quote(id) + "(?![\\p{L}\\p{N}])")
        .matcher(message)
        .find();
  }
}
