/**
 * Lets an event take effect once per group: a guard's row and the handler's writes in one database
 * transaction.
 *
 * <p>What is authoritative: the rows of {@code consumed_event} and {@code aggregate_version} in the
 * handler's own database, nothing else. Kafka's offsets may be behind them, never ahead.
 *
 * <p>The order inside the transaction:
 *
 * <ol>
 *   <li><b>admit</b>: insert-if-new into the inbox, then a conditional update of the version.
 *       Nothing is looked at first, so there is no moment between looking and writing. Only the
 *       count of these statements decides: a unique violation that the handler raises is the
 *       handler's failure and never "duplicate". A concurrent consumer with the same event waits
 *       here for the first one's end and then counts 0, or 1 if the first one rolled back.
 *   <li><b>work</b>: the handler, on a connection that does not let it end the transaction.
 *   <li><b>seal</b>: is this still the transaction that the guard's row was written in? PostgreSQL
 *       answers the COMMIT of an aborted transaction with ROLLBACK and the driver returns normally;
 *       MySQL rolls back a deadlock's victim and takes what the handler writes next for a new
 *       transaction. Without this, a handler that swallowed such an error would lose its event. See
 *       {@code Tripwire}.
 *   <li><b>commit</b>.
 * </ol>
 *
 * <p>What a failure means:
 *
 * <ul>
 *   <li>before <i>work</i>: the database's or the set-up's fault, never the event's ({@link
 *       dev.waybill.consumer.guard.TransactionUnavailableException}), unless a column cannot hold
 *       the event's identity, which no repetition changes ({@link
 *       dev.waybill.consumer.guard.Verdict.Refused});
 *   <li>in <i>work</i>, the database's fault if this connection said so or is dead; what else the
 *       handler asks and is away is the handler's affair;
 *   <li>a conflict with another transaction, anywhere, also in <i>commit</i>: the whole is repeated
 *       at once ({@link dev.waybill.consumer.guard.SqlFailure#CONFLICT});
 *   <li>a commit inside <i>work</i>, as far as the database tells (MySQL, where DDL commits): what
 *       was written until then stays, with the guard's row, and a repetition would be a duplicate
 *       ({@link dev.waybill.consumer.guard.CommittedTransactionException});
 *   <li>a connection lost in <i>commit</i>: nobody knows whether it happened; the guard does at the
 *       next attempt;
 *   <li>anything else in <i>work</i>, <i>seal</i> and <i>commit</i>: the handler's failure.
 * </ul>
 *
 * <p>On MySQL the transactions that are begun here run at READ COMMITTED, where a search for what
 * is not there locks nothing. Inside somebody else's transaction at REPEATABLE READ the guard is
 * right as well: inserts and updates see what is committed, not the snapshot.
 *
 * <p>Not covered: effects outside this transaction, such as mails, calls to other services, writes
 * on a connection of the handler's own, or, on PostgreSQL, a COMMIT sent as text.
 */
@NullMarked
package dev.waybill.consumer.guard;

import org.jspecify.annotations.NullMarked;
