package dev.waybill.consumer.guard;

import dev.waybill.event.Event;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** One way to tell new events from old ones. Immutable, safe for many threads. */
interface Check {

  /** Checks with a lower number come first. */
  int order();

  /** Whether {@link #admit} writes a row if it admits the event. */
  boolean writesFor(Event event);

  /** Why the event's identity does not fit into the guard's columns; null if it does. */
  @Nullable String problem(Event event, Dialect dialect);

  /** Writes the guard's row if the event is new; writes nothing if it is not. */
  Verdict admit(Connection connection, Dialect dialect, String group, Event event)
      throws SQLException;

  /** Takes back what {@link #admit} wrote, for a caller who goes on with the transaction. */
  void withdraw(Connection connection, String group, Event event) throws SQLException;

  /**
   * Makes the event's successors wait for it, where this check knows an order: they must not begin
   * a history in which the event is too late.
   */
  void keepPlace(Connection connection, Dialect dialect, String group, Event event)
      throws SQLException;

  /** Whether what {@link #admit} wrote is still there. */
  boolean holds(Connection connection, String group, Event event) throws SQLException;

  /** After the transaction has ended: whether it left what {@link #admit} wrote. */
  boolean hasLeft(Connection connection, Dialect dialect, String group, Event event)
      throws SQLException;
}
