package dev.waybill.consumer.guard;

import org.jspecify.annotations.Nullable;

/**
 * The handler committed the transaction of its event: by a {@code COMMIT} of its own, or by a
 * statement that commits without saying so, as DDL does on MySQL. What it wrote before that is
 * there for good, the guard's row included; the rest was rolled back. Repeating the event makes
 * nothing whole: to the guard it is a duplicate.
 */
public final class CommittedTransactionException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  CommittedTransactionException(String eventId, @Nullable Throwable cause) {
    super(
        ("The transaction of event %s was committed inside the handler, by COMMIT or by a statement"
                + " that commits by itself, such as CREATE TABLE. What was written before that stays,"
                + " with the guard's row; the rest was rolled back. The event is not tried again: make"
                + " its effect whole by hand, or undo it and delete the guard's row before the event"
                + " is offered again")
            .formatted(eventId),
        cause);
  }
}
