package dev.waybill.engine.capture;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** What makes a server's log useless behind a position. */
final class BinlogCheck {

  /** What a replica that takes over gets to execute what it has received. */
  private static final int CATCH_UP_SECONDS = 15;

  /** On the same server a commit is as good as done, unless it waits for something. */
  private static final int COMMIT_SECONDS = 1;

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
   * @throws SourceUnavailableException if the server has yet to commit what was read already
   */
  static MySqlPosition toRead(Connection connection, MySqlPosition start, String engine)
      throws SQLException {
    return new BinlogCheck(connection, start, engine).check();
  }

  /**
   * Makes sure that the log which is being read is still the one in which {@code read} lies. What
   * was removed from it is not judged: the reader is ahead of {@code read}, and the server keeps
   * the file that it reads.
   *
   * @throws GapException if not
   */
  static void whileReading(Connection connection, MySqlPosition read, String engine)
      throws SQLException {
    new BinlogCheck(connection, read, engine).checkHistory();
  }

  private MySqlPosition check() throws SQLException {
    String uuid = MySqlLog.serverUuid(connection);
    boolean isSame = uuid.equals(start.serverUuid());
    boolean isLogged = isSame && isInLog();
    awaitCommits(isSame ? COMMIT_SECONDS : CATCH_UP_SECONDS);
    Transactions transactions = compare();
    if (isLogged) {
      requireCommitted(transactions.missing());
    } else {
      requireKnown(uuid, transactions.missing());
    }
    requireKept(transactions.purged());
    return isSame ? start : start.onServer(uuid, MySqlLog.read(connection).end());
  }

  private void checkHistory() throws SQLException {
    String uuid = MySqlLog.serverUuid(connection);
    if (!uuid.equals(start.serverUuid())) {
      awaitCommits(CATCH_UP_SECONDS);
      requireKnown(uuid, compare().missing());
    } else if (!isInLog()) {
      requireKnown(uuid, compare().missing());
    }
  }

  /**
   * On the same server, a transaction is sent to us before it is counted among the executed ones; a
   * replica that takes over may have some left to execute.
   */
  private void awaitCommits(int seconds) throws SQLException {
    try (PreparedStatement wait =
        connection.prepareStatement("SELECT wait_for_executed_gtid_set(?, ?)")) {
      wait.setString(1, start.gtids().toString());
      wait.setInt(2, seconds);
      wait.execute();
    }
  }

  /**
   * @param missing those of ours that the server has not executed
   * @param purged those that are no longer in its log, and not ours
   */
  private record Transactions(String missing, String purged) {}

  private Transactions compare() throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(COMPARE)) {
      select.setString(1, start.gtids().toString());
      select.setString(2, start.gtids().toString());
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return new Transactions(text(row, "missing"), text(row, "purged"));
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

  /** They are in its log, where we read them: it is about to commit them. */
  private void requireCommitted(String missing) {
    if (!missing.isEmpty()) {
      throw new SourceUnavailableException(
          "Server "
              + start.serverUuid()
              + " has written "
              + missing
              + " to its log and not committed it yet: the commit waits, as for a semi-synchronous"
              + " replica or a full disk. Until then the server shows nothing of what comes after",
          null);
    }
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
   *
   * @return whether the place is there; false if its file was removed
   */
  private boolean isInLog() throws SQLException {
    BinlogPlace place = start.place();
    List<BinlogPlace> files = MySqlLog.files(connection);
    BinlogPlace end = files.get(files.size() - 1);
    boolean isThere = files.stream().anyMatch(file -> file.file().equals(place.file()));
    if (end.compareTo(place) < 0) {
      throw reset("ends at " + end);
    }
    if (isThere && !endsOrHasEventAt(place, files)) {
      throw reset(
          "has no event there, or a compressed transaction that is larger than max_allowed_packet, which it then"
              + " does not show (SET GLOBAL max_allowed_packet = 1073741824, and start again)");
    }
    return isThere;
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
