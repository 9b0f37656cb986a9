/**
 * The database's log behind one door: Debezium and its types stop here.
 *
 * <p>{@link dev.waybill.engine.capture.DebeziumCapture} is one run of Debezium's engine, from its
 * start to its end; {@link dev.waybill.engine.capture.LogReader} is what differs between the two
 * databases. What follows is PostgreSQL; MySQL has its own part below, and what is not said there
 * is the same.
 *
 * <h2>Who knows how far we are</h2>
 *
 * <p>Three places remember something; only the first is believed.
 *
 * <ol>
 *   <li><b>The {@link dev.waybill.engine.capture.Position}</b>, which our caller stores in Kafka
 *       beside the events. On PostgreSQL it is the LSN up to which every transaction is wholly in
 *       Kafka and, where a batch ended within a transaction, that one's xid and how many of its
 *       rows are there.
 *   <li><b>The replication slot.</b> The server never sends again what ends before the slot's
 *       {@code confirmed_flush_lsn}, and always sends whole transactions, in commit order. It is
 *       only ever told a position's LSN, and only after that position was stored: so it is at or
 *       behind it. Before reading begins it is moved forward to it.
 *   <li><b>Debezium's offset.</b> None is stored: the memory store is new with each engine, and
 *       Debezium 3.6 begins where the slot is. Given an offset, it lost rows that share an LSN
 *       (COPY) and rows of transactions that were open during a heartbeat.
 * </ol>
 *
 * <p>So a restart sends again at most the beginning of one transaction, and those rows are left out
 * by counting: rows of one COPY share an LSN, and LSNs of interleaved transactions are in no order,
 * but the same transaction always comes with the same rows in the same order. Which rows are
 * counted depends on the tables that are read, so the position names them: when others are read, or
 * not all of them, the unfinished transaction is published from its beginning.
 *
 * <h2>How the position moves</h2>
 *
 * <p>Beside rows, Debezium delivers the beginning and the end of each transaction, heartbeats, and
 * the messages that its heartbeats write into the log. All of them are handed over in order, as
 * batches that may hold no change, and none is published. Each record says up to which LSN the log
 * was complete when it was made ({@code lsn_commit}: the end of the last commit, or a message
 * behind it); {@link dev.waybill.engine.capture.PositionTracker} follows that and counts rows.
 * Because heartbeats write a message, the position moves, and with it the slot, while only other
 * tables are written; a transactional message would hold the log back instead.
 *
 * <p>An acknowledgement reaches the server before the next batch is read, or when the capture is
 * closed. In 3.6.1: {@code markBatchFinished} puts the offset into the memory store and raises a
 * flag, and the next {@code poll} sends the LSN it finds there. That LSN is the one we put there,
 * not the record's own, which lies ahead of our position within the first transaction after a
 * start.
 *
 * <h2>First start</h2>
 *
 * <p>Publication, then slot, then rows: creating the slot exports a snapshot that sees exactly what
 * was committed before the slot's consistent point. Rows are read in that snapshot, the log from
 * that point. A first start that was not finished is made anew, slot and all.
 *
 * <h2>What ends it, and what follows</h2>
 *
 * <table>
 *   <caption>Failures and their outcomes</caption>
 *   <tr><th>what happens</th><th>what the caller sees</th></tr>
 *   <tr><td>connection refused or lost, server stopping or starting, no connection left</td>
 *       <td>{@link dev.waybill.engine.capture.SourceUnavailableException}: wait, then open a new
 *       capture from the stored position</td></tr>
 *   <tr><td>a dead connection that nobody is told of: no heartbeat for a minute while the handler
 *       is not busy, or a server that does not read from the slot for anybody; before the first
 *       batch the second sign alone counts</td>
 *       <td>the same, as long as {@link dev.waybill.engine.capture.Capture#awaitEnd} is called from
 *       time to time</td></tr>
 *   <tr><td>another engine took the slot over, or an operator ended its server process</td>
 *       <td>the same</td></tr>
 *   <tr><td>slot missing, invalidated, or beyond the stored position</td>
 *       <td>{@link dev.waybill.engine.capture.GapException}, when a capture is opened and again
 *       before its first batch: in between Debezium would have made a new slot in silence</td></tr>
 *   <tr><td>the server's log ends before the stored position: its disk was put back to an older
 *       copy, or a standby that was behind took over</td>
 *       <td>{@code GapException}, when a capture is opened. Once the log of such a server has grown
 *       past the position nothing shows it any more</td></tr>
 *   <tr><td>rows in the log lack a column that the configuration names: it was renamed or dropped
 *       </td>
 *       <td>{@link dev.waybill.engine.capture.SourceMisconfiguredException} before the first of
 *       them, for without its payload a row means something else. A column that the layout has but
 *       a table may do without reads as null</td></tr>
 *   <tr><td>the handler throws, even an {@code Error}</td>
 *       <td>that, unchanged, from {@link dev.waybill.engine.capture.Capture#awaitEnd}; nothing of
 *       the batch is acknowledged</td></tr>
 *   <tr><td>login refused, table, column, privilege or publication missing</td>
 *       <td>{@link dev.waybill.engine.capture.SourceMisconfiguredException} from {@link
 *       dev.waybill.engine.capture.Source#inspect}, with all problems. A database that worked
 *       before may come to this when a password is rotated: a running engine should wait then, as
 *       for an unavailable one</td></tr>
 *   <tr><td>the publication is gone or hides rows; table, publication or the table's entry in it
 *       were made anew</td>
 *       <td>{@link dev.waybill.engine.capture.SourceMisconfiguredException#withholding} or other
 *       values of {@link dev.waybill.engine.capture.SourceReport#published} from {@code inspect},
 *       and nothing from a capture: a publication follows a table that is renamed, and from version
 *       18 on the server passes over one that is missing. So the caller looks again while it
 *       captures. To whoever has read the log before it is a gap: what was committed meanwhile is
 *       not in it</td></tr>
 *   <tr><td>the server crashed and its slot fell back behind what was acknowledged</td>
 *       <td>nothing: the slot is moved forward again</td></tr>
 * </table>
 *
 * <p>No capture is restarted in place, and Debezium's own retries are off: they would read the
 * memory store and lose rows.
 *
 * <h2>MySQL</h2>
 *
 * <p>The server remembers nothing about its readers. Our position is all there is: the set of the
 * GTIDs that are wholly in Kafka and, within a transaction, its GTID and how many of its outbox
 * rows are there. Everything comes in the order of commits; a transaction that was not finished
 * comes again whole, and its rows are left out by counting, as on PostgreSQL: from whatever server,
 * in events of whatever size, compressed or not. Debezium is given the set, and never a place
 * within a transaction, which it would apply to whichever transaction comes first.
 *
 * <p>Each record carries the set that was complete when it was made. A transaction enters it when
 * the next one begins, or a heartbeat comes; the server sends one twice in each of our own
 * heartbeats, so the position follows other tables' writes and rests at the log's end. A
 * transaction that is one statement (CREATE TABLE …) Debezium leaves open until the next: {@link
 * dev.waybill.engine.capture.BinlogGuard} closes it.
 *
 * <p><b>Columns.</b> The log holds rows without names, charsets and signs. The position holds the
 * columns as they are at its place of the log, and Debezium starts with these as its history of the
 * schema and with no snapshot: it changes them with the statements that it meets, as the rows do.
 * The position moves with what it has understood, once the statement's transaction is complete.
 * Tables that have an outbox's columns are kept too, since one of them may take the outbox's place.
 *
 * <h3>What loses rows, and what holds them</h3>
 *
 * <table>
 *   <caption>Debezium's connector, 3.6.1</caption>
 *   <tr><th>what would happen</th><th>what holds it</th></tr>
 *   <tr><td>its client connects anew within a transaction ({@code connect.keep.alive}), and offsets
 *       hold the GTID of the transaction that is being sent again: a crash then loses its rest</td>
 *       <td>it is off. A record whose own GTID is in its set ends the capture ({@link
 *       dev.waybill.engine.capture.MySqlTracker})</td></tr>
 *   <tr><td>with it off, a connection that ends is often not reported at all</td>
 *       <td>the guard hears of it from the client; against a dead wire, {@link
 *       dev.waybill.engine.capture.Watch}</td></tr>
 *   <tr><td>a handler that blocks holds the whole chain back, and the server ends a reader that takes
 *       nothing for {@code net_write_timeout} (60 s)</td>
 *       <td>that is the end of a connection: a new capture from the stored position</td></tr>
 *   <tr><td>rows are decoded with columns of another time: an ALTER without a trace in the log, or
 *       one that the parser does not understand</td>
 *       <td>before the rows of a table, the log tells their types and charsets; where these do not
 *       fit, {@link
 *       dev.waybill.engine.capture.GapException}. So is a statement about an outbox table that was
 *       not understood; others are passed over</td></tr>
 *   <tr><td>a session writes with {@code binlog_format=STATEMENT}, or logs a part of the columns</td>
 *       <td>{@code GapException}. What LOAD DATA has loaded so, or a statement about other tables
 *       has made triggers insert, is not to be seen: it is warned of</td></tr>
 *   <tr><td>rows of a distributed transaction are shown when it is prepared, and may be rolled back
 *       </td>
 *       <td>{@code GapException} before them</td></tr>
 *   <tr><td>transactions without a GTID</td>
 *       <td>{@link dev.waybill.engine.capture.SourceMisconfiguredException}</td></tr>
 *   <tr><td>two readers under one server id</td>
 *       <td>the server ends the older: unavailable, nothing lost</td></tr>
 * </table>
 *
 * <p>Rows of other tables are read from the wire and dropped by their table's number, before
 * Debezium makes records of them. The commit time is the one of the transaction's GTID event, in
 * microseconds, of the server where it was first committed.
 *
 * <h2>Threads</h2>
 *
 * <p>Debezium decodes on one thread and polls on another, which is the one that calls {@link
 * dev.waybill.engine.capture.BatchHandler#handle}; between them is a queue bounded in rows and
 * bytes. Acknowledging is confined to the polling thread.
 */
@NullMarked
package dev.waybill.engine.capture;

import org.jspecify.annotations.NullMarked;
