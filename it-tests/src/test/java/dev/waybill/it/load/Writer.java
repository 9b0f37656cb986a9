package dev.waybill.it.load;

import dev.waybill.it.world.Vendor;
import dev.waybill.it.world.World;
import dev.waybill.servers.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An application: one transaction of a random {@link Kind} after the other, entered into the ledger
 * as it ends. While the database is away it tries again, and then finds out what became of the
 * transaction whose commit was never answered. Confined to one thread.
 */
final class Writer {

  private static final int MOST_ROWS = 12;
  private static final Duration RETRY = Duration.ofMillis(200);

  private final Vendor vendor;
  private final Database database;
  private final Ledger ledger;
  private final EventSource source;
  private final RandomGenerator random;
  private @Nullable Connection plain;
  private @Nullable Connection rewriting;
  private @Nullable Connection other;

  /** Made for the running transaction, and neither committed nor rolled back yet. */
  private final List<LoadEvent> open = new ArrayList<>();

  /** Those of them whose commit was sent and not answered. */
  private List<LoadEvent> inDoubt = List.of();

  Writer(World world, Ledger ledger, String name, RandomGenerator random) {
    this.vendor = world.vendor();
    this.database = world.database();
    this.ledger = ledger;
    this.random = random;
    this.source = new EventSource(name, random);
  }

  /** Runs one transaction; a failure of the database leaves it to {@link #recover()}. */
  boolean write(Kind kind) {
    try {
      kind.run(this);
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  /** Waits for the database and clears up what a failed transaction left. */
  void recover() {
    disconnect();
    while (!settle()) {
      LockSupport.parkNanos(RETRY.toNanos());
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException(
            "interrupted with events in doubt: " + inDoubt + "; is the database away for good?");
      }
    }
  }

  void disconnect() {
    for (Connection connection : new @Nullable Connection[] {plain, rewriting, other}) {
      closeQuietly(connection);
    }
    plain = null;
    rewriting = null;
    other = null;
  }

  Transaction begin() throws SQLException {
    if (plain == null) {
      plain = connect(vendor.bulkLoading());
    }
    return new Transaction(vendor, plain);
  }

  Transaction beginRewriting() throws SQLException {
    if (rewriting == null) {
      rewriting = connect(vendor.rewritingBatches());
    }
    return new Transaction(vendor, rewriting);
  }

  Transaction beginOther() throws SQLException {
    if (other == null) {
      other = connect(vendor.bulkLoading());
    }
    return new Transaction(vendor, other);
  }

  List<LoadEvent> make(int count) {
    List<LoadEvent> events = source.next(count);
    open.addAll(events);
    return events;
  }

  List<LoadEvent> makeSome() {
    return make(2 + random.nextInt(MOST_ROWS - 1));
  }

  void commit(Transaction transaction) throws SQLException {
    inDoubt = transaction.inserted();
    transaction.commit();
    committed();
  }

  void rolledBack(List<LoadEvent> events) {
    source.giveBack(events);
    ledger.rolledBack(events);
    open.removeAll(events);
  }

  private void committed() {
    ledger.committed(inDoubt);
    open.removeAll(inDoubt);
    inDoubt = List.of();
  }

  /** Returns false while the database cannot tell. */
  private boolean settle() {
    try (Connection connection = database.connect()) {
      if (!inDoubt.isEmpty() && exists(connection, inDoubt.get(0))) {
        committed();
      }
      inDoubt = List.of();
      rolledBack(List.copyOf(open));
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  /** The first row of a transaction is never deleted. */
  private static boolean exists(Connection connection, LoadEvent event) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT 1 FROM outbox_event WHERE event_id = ?")) {
      select.setString(1, event.id());
      try (ResultSet rows = select.executeQuery()) {
        return rows.next();
      }
    }
  }

  private Connection connect(String parameter) throws SQLException {
    Connection connection = vendor.connect(database, parameter);
    connection.setAutoCommit(false);
    return connection;
  }

  private static void closeQuietly(@Nullable Connection connection) {
    if (connection == null) {
      return;
    }
    try {
      connection.close();
    } catch (SQLException e) {
      // It was broken already, or the server is gone.
    }
  }
}
