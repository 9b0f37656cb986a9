package dev.waybill.consumer.guard;

import java.sql.Connection;

/**
 * The transaction in which an event takes effect. Confined to the thread of the handler, and over
 * when the handler returns.
 */
public interface EventTransaction {

  /**
   * The connection that holds the guard's rows. What is written through it is committed with them,
   * and only through it: writes on a connection of the handler's own are not once-only.
   *
   * <p>The consumer ends the transaction: {@code commit}, {@code rollback}, {@code close}, {@code
   * abort}, {@code setAutoCommit} and {@code setTransactionIsolation} throw {@link
   * IllegalStateException}. Savepoints are the handler's to set, release and roll back to.
   *
   * <p>On MySQL the transaction is at {@code READ COMMITTED}, and DDL in it is a mistake: it
   * commits half of the event's effect, which is then parked.
   *
   * <p>{@code unwrap} gives the driver's own connection, for what only the driver can do, such as
   * copying. It is not protected: who ends the transaction through it, or uses it after the handler
   * has returned, breaks the promise.
   */
  Connection connection();
}
