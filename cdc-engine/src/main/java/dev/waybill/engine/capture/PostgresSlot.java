package dev.waybill.engine.capture;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.replication.LogSequenceNumber;

/**
 * The replication slot, as {@code pg_replication_slots} showed it: the server's own memory of how
 * far the log was acknowledged, and what keeps the rest of the log.
 *
 * @param foreign whether it belongs to another database of the server: names are the server's
 * @param activePid the server process that reads from it for a client; null if nobody does
 * @param confirmedLsn the server will not send what ends before this again
 * @param logEnd where the server's log ends on its disk
 * @param retainedBytes how much log it keeps; null for a lost slot
 */
record PostgresSlot(
    String name,
    String plugin,
    String database,
    boolean foreign,
    @Nullable Integer activePid,
    String walStatus,
    long confirmedLsn,
    long logEnd,
    @Nullable Long retainedBytes) {

  private static final String SELECT =
      """
      SELECT plugin, database, database <> pg_catalog.current_database() AS is_foreign, active_pid,
             coalesce(wal_status, 'lost') AS wal_status,
             coalesce(confirmed_flush_lsn, '0/0') AS confirmed_lsn,
             log_end, pg_catalog.pg_wal_lsn_diff(log_end, restart_lsn)::bigint AS retained_bytes
        FROM pg_catalog.pg_replication_slots,
             (SELECT CASE WHEN pg_catalog.pg_is_in_recovery()
                          THEN pg_catalog.pg_last_wal_replay_lsn()
                          ELSE pg_catalog.pg_current_wal_flush_lsn() END AS log_end) AS log
       WHERE slot_name = ? AND slot_type = 'logical'
      """;

  /** Null if there is none of this name. */
  static @Nullable PostgresSlot find(Connection connection, String name) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT)) {
      select.setString(1, name);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? read(name, row) : null;
      }
    }
  }

  private static PostgresSlot read(String name, ResultSet row) throws SQLException {
    return new PostgresSlot(
        name,
        row.getString("plugin"),
        row.getString("database"),
        row.getBoolean("is_foreign"),
        row.getObject("active_pid", Integer.class),
        row.getString("wal_status"),
        LogSequenceNumber.valueOf(row.getString("confirmed_lsn")).asLong(),
        LogSequenceNumber.valueOf(row.getString("log_end")).asLong(),
        row.getObject("retained_bytes", Long.class));
  }

  /** What is wrong with it if it is not ours at all; null if it is. */
  @Nullable String strangeness() {
    if (foreign) {
      return "slot "
          + name
          + " belongs to database "
          + database
          + " of the same server: choose another engine.name";
    }
    return plugin.equals("pgoutput")
        ? null
        : "slot "
            + name
            + " decodes with "
            + plugin
            + ", not with pgoutput: it is not this engine's. Choose another engine.name";
  }

  boolean isLost() {
    return walStatus.equals("lost");
  }

  /**
   * Ends the process that reads from it, if there is one, and waits until that is gone. A reader of
   * the same user needs no more than that user's rights.
   *
   * @return false if it is still there after a few seconds
   */
  boolean free(Connection connection) throws SQLException {
    if (activePid == null) {
      return true;
    }
    try (PreparedStatement terminate =
        connection.prepareStatement("SELECT pg_catalog.pg_terminate_backend(?, 5000)")) {
      terminate.setInt(1, activePid);
      try (ResultSet row = terminate.executeQuery()) {
        // False also if it had ended just before.
        return (row.next() && row.getBoolean(1)) || isFree(connection);
      }
    }
  }

  private boolean isFree(Connection connection) throws SQLException {
    PostgresSlot now = find(connection, name);
    return now == null || now.activePid() == null;
  }

  /** Moves it forward, so that nothing that ends at or before {@code lsn} is sent again. */
  void advance(Connection connection, long lsn) throws SQLException {
    if (Long.compareUnsigned(lsn, confirmedLsn) <= 0) {
      return;
    }
    try (PreparedStatement advance =
        connection.prepareStatement(
            "SELECT end_lsn FROM pg_catalog.pg_replication_slot_advance(?, ?::pg_lsn)")) {
      advance.setString(1, name);
      advance.setString(2, PostgresPosition.format(lsn));
      advance.execute();
    }
  }

  void drop(Connection connection) throws SQLException {
    try (PreparedStatement drop =
        connection.prepareStatement("SELECT pg_catalog.pg_drop_replication_slot(?)")) {
      drop.setString(1, name);
      drop.execute();
    }
  }
}
