package dev.waybill.engine.capture;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventData;
import com.github.shyiko.mysql.binlog.event.GtidEventData;
import com.github.shyiko.mysql.binlog.event.GtidTaggedEventData;
import com.github.shyiko.mysql.binlog.event.QueryEventData;
import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import com.github.shyiko.mysql.binlog.event.TransactionPayloadEventData;
import com.github.shyiko.mysql.binlog.event.WriteRowsEventData;
import io.debezium.connector.binlog.BinlogOffsetContext;
import io.debezium.connector.binlog.BinlogStreamingChangeEventSource;
import io.debezium.relational.RelationalDatabaseSchema;
import io.debezium.relational.Table;
import io.debezium.relational.TableId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees each event of the binary log just before Debezium does, and notices what Debezium would pass
 * over: rows that were written by statements, rows that do not fit the columns it knows, rows of
 * transactions whose end is open. It also closes transactions that are one statement, which
 * Debezium leaves open until the next transaction: else a server on which nothing follows could not
 * purge the log behind them without our taking it for a gap.
 *
 * <p>Of a compressed transaction it sees all events before Debezium sees the first: a table that is
 * made and filled in one ({@code CREATE TABLE … SELECT}) is not known to Debezium yet, and a gap if
 * it is the outbox.
 *
 * <p>Called on the thread of the binlog client; what it has found is safe to be asked by any.
 */
final class BinlogGuard extends BinaryLogClient.AbstractLifecycleListener
    implements BinaryLogClient.EventListener {

  private static final Logger LOG = LoggerFactory.getLogger(BinlogGuard.class);

  private static final int QUOTED_STATEMENT = 200;

  /**
   * What makes it impossible to go on.
   *
   * @param gtid the transaction in which it is; what comes before may be published
   */
  record Problem(String gtid, RuntimeException failure) {}

  private final Set<TableName> tables;
  private final String engine;

  /** How many columns our tables have, by the log's numbers for those that were looked at. */
  private final Map<Long, Integer> fitting = new HashMap<>();

  private volatile @Nullable Problem problem;
  private volatile @Nullable BinaryLogClient client;
  private volatile @Nullable Long disconnectedAt;
  private @Nullable RelationalDatabaseSchema schema;
  private @Nullable BinlogOffsetContext<?> offset;

  private String gtid = "";
  private boolean isInTransaction;
  private boolean isPreparing;
  private boolean isStatementOver;

  BinlogGuard(List<TableName> tables, String engine) {
    this.tables = Set.copyOf(tables);
    this.engine = engine;
  }

  /** Before the first event, once Debezium knows its tables. */
  void attach(BinlogStreamingChangeEventSource<?, ?> source, RelationalDatabaseSchema tables) {
    schema = tables;
    offset = source.getOffsetContext();
    client = source.getBinaryLogClient();
    source.getBinaryLogClient().registerEventListener(this);
    source.getBinaryLogClient().registerLifecycleListener(this);
  }

  /** The server's number of the connection that reads; null while there is none. */
  @Nullable Long connectionId() {
    BinaryLogClient connected = client;
    return connected == null || !connected.isConnected() ? null : connected.getConnectionId();
  }

  /** Debezium is told of some ends only: of none that comes as the plain end of the stream. */
  @Override
  public void onDisconnect(BinaryLogClient ended) {
    disconnectedAt = System.nanoTime();
  }

  /** Whether the connection ended that long ago. */
  boolean isDisconnectedFor(Duration time) {
    Long since = disconnectedAt;
    return since != null && System.nanoTime() - since > time.toNanos();
  }

  /** Null as long as nothing was found. */
  @Nullable Problem problem() {
    return problem;
  }

  /** The client passes over what its listeners throw. */
  @Override
  public void onEvent(Event event) {
    if (problem != null) {
      return;
    }
    try {
      look(event);
    } catch (RuntimeException e) {
      stop(new IllegalStateException("cannot judge " + event + " in transaction " + gtid, e));
    }
  }

  private void look(Event event) {
    closeStatement();
    EventData data = event.getData();
    switch (event.getHeader().getEventType()) {
      case GTID, GTID_TAGGED -> begin(data);
      case ANONYMOUS_GTID -> stop(anonymous());
      case QUERY -> query((QueryEventData) data);
      case XID -> isInTransaction = false;
      case XA_PREPARE -> endStatement();
      case TABLE_MAP -> rows((TableMapEventData) data);
      case WRITE_ROWS, EXT_WRITE_ROWS -> image((WriteRowsEventData) data);
      case TRANSACTION_PAYLOAD ->
          ((TransactionPayloadEventData) data).getUncompressedEvents().forEach(this::look);
      case ROTATE -> fitting.clear();
      case EXECUTE_LOAD_QUERY -> warn("LOAD DATA");
      default -> {}
    }
  }

  private void begin(EventData data) {
    gtid =
        data instanceof GtidTaggedEventData tagged
            ? tagged.getMySqlGtid().toString()
            : ((GtidEventData) data).getMySqlGtid().toString();
    isInTransaction = false;
    isPreparing = false;
  }

  private void query(QueryEventData data) {
    LoggedStatement statement = new LoggedStatement(data.getSql(), data.getDatabase());
    if (statement.begins()) {
      isInTransaction = true;
      isPreparing = statement.isXa();
    } else if (!isInTransaction) {
      endStatement();
    } else if (statement.ends()) {
      isInTransaction = false;
    } else if (tables.stream().anyMatch(statement::insertsInto)) {
      stop(gap("Transaction " + gtid + " has written to the outbox in the format STATEMENT"));
    } else if (statement.changesRows()) {
      warn(data.getSql());
    }
  }

  private void endStatement() {
    isInTransaction = false;
    isStatementOver = true;
  }

  private void closeStatement() {
    if (isStatementOver && offset != null) {
      offset.commitTransaction();
      isStatementOver = false;
    }
  }

  private void warn(String statement) {
    LOG.warn(
        "Transaction {} was logged in the format STATEMENT: rows that triggers or LOAD DATA have"
            + " written to the outbox with it are not in the log, and are not published. Keep"
            + " binlog_format = ROW in every session. The statement: {}",
        gtid,
        statement.substring(0, Math.min(statement.length(), QUOTED_STATEMENT)));
  }

  private void rows(TableMapEventData event) {
    TableName table = new TableName(event.getDatabase(), event.getTable());
    if (!tables.contains(table) || (fitting.containsKey(event.getTableId()) && !isPreparing)) {
      return;
    }
    if (isPreparing) {
      stop(gap("Distributed transaction " + gtid + " (XA) has written to " + table));
      return;
    }
    Table known =
        schema == null ? null : schema.tableFor(new TableId(table.schema(), null, table.name()));
    String misfit =
        known == null ? "there was no such table" : LoggedColumns.misfit(known.columns(), event);
    if (misfit == null) {
      fitting.put(event.getTableId(), event.getColumnTypes().length);
    } else {
      stop(gap("The rows of transaction " + gtid + " in " + table + " cannot be read: " + misfit));
    }
  }

  private void image(WriteRowsEventData event) {
    Integer columns = fitting.get(event.getTableId());
    if (columns != null && event.getIncludedColumns().cardinality() < columns) {
      stop(
          gap(
              "Transaction "
                  + gtid
                  + " has logged some columns only of its rows (binlog_row_image is not FULL)"));
    }
  }

  private void stop(RuntimeException failure) {
    problem = new Problem(gtid, failure);
  }

  private RuntimeException anonymous() {
    return new SourceMisconfiguredException(
        List.of(
            "the log holds transactions without a GTID, behind " + gtid + ": set gtid_mode = ON"));
  }

  private GapException gap(String found) {
    return GapException.behind("the transaction before it", engine, found, "");
  }
}
