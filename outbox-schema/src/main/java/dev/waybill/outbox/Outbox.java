package dev.waybill.outbox;

import dev.waybill.event.OutboxEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;

/**
 * Appends events to the outbox table, in the transaction of whoever calls. Immutable, safe for many
 * threads; one serves a whole application.
 *
 * <pre>{@code
 * Outbox outbox = Outbox.postgresql();
 * …
 * connection.setAutoCommit(false);
 * insertOrder(connection, order);
 * outbox.append(connection, OutboxEvent.builder("order", order.id(), "OrderCreated").json(json).build());
 * connection.commit();
 * }</pre>
 */
public interface Outbox {

  /** For the table of {@code outbox.sql} in PostgreSQL. */
  static Outbox postgresql() {
    return builder(Dialect.POSTGRESQL).build();
  }

  /** For the table of {@code outbox.sql} in MySQL. */
  static Outbox mysql() {
    return builder(Dialect.MYSQL).build();
  }

  static Builder builder(Dialect dialect) {
    return new Builder(dialect);
  }

  /**
   * Appends events, in their order, in the caller's transaction: they are published if and when the
   * caller commits. Never commits, rolls back or closes, and leaves the connection as it was. Many
   * events take few round trips.
   *
   * @throws IllegalStateException if the connection commits each statement by itself: the event
   *     would be announced whatever became of what it announces
   * @throws IllegalArgumentException if the table has no column for something that an event has;
   *     nothing was written
   * @throws SQLException what the database said, with its SQLSTATE, naming the events; the
   *     transaction can only be rolled back
   */
  void append(Connection connection, Collection<OutboxEvent> events) throws SQLException;

  /** As {@link #append(Connection, Collection)}. */
  default void append(Connection connection, OutboxEvent... events) throws SQLException {
    append(connection, Arrays.asList(events));
  }

  /** Confined to one thread; calls commute. */
  final class Builder {

    private final Dialect dialect;
    private OutboxLayout layout = OutboxLayout.WAYBILL;
    private PayloadColumn payloadColumn = PayloadColumn.TEXT;

    private Builder(Dialect dialect) {
      this.dialect = Objects.requireNonNull(dialect, "dialect");
    }

    /** Another table, or other names for its columns. */
    public Builder layout(OutboxLayout other) {
      this.layout = Objects.requireNonNull(other, "layout");
      return this;
    }

    /** For a table whose payload is not of a textual type. */
    public Builder payloadColumn(PayloadColumn column) {
      this.payloadColumn = Objects.requireNonNull(column, "column");
      return this;
    }

    public Outbox build() {
      InsertStatement insert = new InsertStatement(dialect, layout, payloadColumn);
      return new JdbcOutbox(insert, dialect.insertion(insert));
    }
  }
}
