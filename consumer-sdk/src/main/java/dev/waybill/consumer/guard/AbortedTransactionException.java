package dev.waybill.consumer.guard;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The handler returned as if all was well, but its transaction is aborted or was rolled back: it
 * caught an {@link SQLException} and went on. That is a failure of the handler.
 */
public final class AbortedTransactionException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  AbortedTransactionException(String message, @Nullable SQLException cause) {
    super(message, cause);
  }

  /** The same with the conflict that the handler swallowed: the event deserves another try then. */
  AbortedTransactionException explainedBy(@Nullable SQLException conflict) {
    return conflict == null || getMessage() == null
        ? this
        : new AbortedTransactionException(getMessage() + ": " + conflict.getMessage(), conflict);
  }
}
