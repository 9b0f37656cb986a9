package dev.waybill.engine.capture;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** What makes a server's log useless behind a position. */
final class BinlogCheck {

  /** Longer than a commit may wait for semi-synchronous replicas, by MySQL's default. */
  private static final int COMMIT_SECONDS = 15;

  private static final String COMPARE =
      """
      SELECT gtid_subtract(?, @@GLOBAL.gtid_executed) AS missing,
             gtid_subtract(@@GLOBAL.gtid_purged, ?) AS purged
      """;

  private final Connection connection;
  private final MySqlPosition start;
  private final String engine;

  private BinlogCheck(Connection connection, MySqlPosition start, String engine) {
    this.connection = connection;
    this.start = start;
    this.engine = engine;
  }

  /**
   * Makes sure that the server still has all that comes after {@code start}, and that it is the
   * same history.
   *
   * @return the position in this server's log
   * @throws GapException if not
   */
  static MySqlPosition require(Connection connection, MySqlPosition start, String engine)
      throws SQLException {
    return new BinlogCheck(connection, start, engine).check();
  }

  private MySqlPosition check() throws SQLException {
    String uuid = MySqlLog.serverUuid(connection);
    if (uuid.equals(start.serverUuid())) {
      requireSameLog();
    }
    awaitCommits();
    requireTransactions(uuid);
    return uuid.equals(start.serverUuid())
        ? start
        : start.onServer(uuid, MySqlLog.read(connection).end());
  }

  /**
   * On the same server, a transaction is sent to us before it is counted among the executed ones; a
   * replica that takes over may have some left to execute.
   */
  private void awaitCommits() throws SQLException {
    try (PreparedStatement wait =
        connection.prepareStatement("SELECT wait_for_executed_gtid_set(?, ?)")) {
      wait.setString(1, start.gtids().toString());
      wait.setInt(2, COMMIT_SECONDS);
      wait.execute();
    }
  }

  private void requireTransactions(String uuid) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(COMPARE)) {
      select.setString(1, start.gtids().toString());
      select.setString(2, start.gtids().toString());
      try (ResultSet row = select.executeQuery()) {
        row.next();
        requireKnown(uuid, text(row, "missing"));
        requireKept(text(row, "purged"));
      }
    }
  }

  private static String text(ResultSet row, String column) throws SQLException {
    return row.getString(column).replace("\n", "");
  }

  private void requireKnown(String uuid, String missing) {
    if (missing.isEmpty()) {
      return;
    }
    throw gap(
        "Server "
            + uuid
            + " has not executed "
            + missing
            + (uuid.equals(start.serverUuid())
                ? ", although it did before: its log was reset, or it was put back to an older copy"
                    + " of itself"
                : ": it is another server than "
                    + start.serverUuid()
                    + ", or a replica that was behind when it took over"));
  }

  private void requireKept(String purged) {
    if (!purged.isEmpty()) {
      throw gap(
          "The server has removed log that was not read yet, with "
              + purged
              + " (binlog_expire_logs_seconds, or PURGE BINARY LOGS)");
    }
  }

  /**
   * A log that was reset counts its transactions from 1 again, as if nothing had happened. But its
   * files begin anew too, and other events stand at other places.
   */
  private void requireSameLog() throws SQLException {
    BinlogPlace place = start.place();
    List<BinlogPlace> files = MySqlLog.files(connection);
    BinlogPlace end = files.get(files.size() - 1);
    boolean isThere = files.stream().anyMatch(file -> file.file().equals(place.file()));
    if (end.compareTo(place) < 0) {
      throw reset("ends at " + end);
    }
    if (isThere && !endsOrHasEventAt(place, files)) {
      throw reset("has no event there");
    }
  }

  private boolean endsOrHasEventAt(BinlogPlace place, List<BinlogPlace> files) throws SQLException {
    return files.contains(place) || MySqlLog.hasEventAt(connection, place);
  }

  private GapException reset(String found) {
    return gap(
        "The log of server "
            + start.serverUuid()
            + " "
            + found
            + ": it was reset since "
            + start.place()
            + " was read");
  }

  private GapException gap(String found) {
    return GapException.behind(start.gtids().toString(), engine, found, "");
  }
}
