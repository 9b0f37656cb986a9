package dev.waybill.consumer.guard;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a failure says about the database, by SQLSTATE and vendor code, never by text. Frameworks
 * wrap: the whole chain of causes is looked at, and the exceptions chained to a batch.
 */
public enum SqlFailure {
  /** The transaction lost against another one; the same work can succeed at once. */
  CONFLICT,
  /** The database cannot be reached or takes no work now. */
  UNAVAILABLE,
  /** Neither: the work itself is wrong, or no database was involved. */
  OTHER;

  static final String IN_FAILED_TRANSACTION = "25P02";

  private static final Set<String> CONFLICT_STATES =
      Set.of(
          "40000", // rolled back by a plugin at the commit: MySQL's group replication
          "40001", // serialization failure; deadlock on MySQL and H2
          "40P01", // deadlock on PostgreSQL
          "55P03"); // lock not available

  /** MySQL's lock wait time-out, deadlock, and lock that was not to be waited for. */
  private static final Set<Integer> MYSQL_CONFLICT_CODES = Set.of(1205, 1213, 3572);

  /** H2: lock time-out, with the state HYT00. */
  private static final int H2_LOCK_TIMEOUT = 50200;

  private static final Set<String> UNAVAILABLE_CLASSES =
      Set.of(
          "08", // connection exception
          "53"); // insufficient resources: connections, memory, disk

  /** What MySQL cannot do now; these come with states that say nothing, HY000 and 42000. */
  private static final Set<Integer> MYSQL_UNAVAILABLE_CODES =
      Set.of(
          1021, // disk full
          1037, // out of memory
          1041, // out of memory
          1114, // table full, for InnoDB the disk
          1203, // the user has too many connections
          1226, // the user has used up a resource
          1290, // the server runs with an option that forbids it: read_only at a fail-over
          1836, // read-only mode
          3169, // session killed
          4031); // session disconnected, idle for too long

  /** MySQL: the statement is larger than the server takes. Comes with a state of class 08. */
  private static final int MYSQL_PACKET_TOO_LARGE = 1153;

  /** A server that only reads: the standby, before or after a fail-over. */
  private static final String READ_ONLY = "25006";

  /** 57P01 and its neighbours: shutdown by the administrator, crash, not accepting connections. */
  private static final String OPERATOR_INTERVENTION = "57P0";

  /** A value that its column, or the charset of the database, cannot hold. */
  private static final String DATA_CLASS = "22";

  /** Whether a value is to blame: the same statement with the same values fails again. */
  static boolean isOfTheData(SQLException failure) {
    return classOf(state(failure)).equals(DATA_CLASS);
  }

  /** The first failure in the chain that says something about the database decides. */
  public static SqlFailure of(Throwable failure) {
    return of(failure, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  private static SqlFailure of(@Nullable Throwable failure, Set<Throwable> seen) {
    if (failure == null || !seen.add(failure)) {
      return OTHER;
    }
    if (failure instanceof SQLException sql) {
      SqlFailure own = ofOne(sql);
      if (own != OTHER) {
        return own;
      }
      SqlFailure next = of(sql.getNextException(), seen);
      if (next != OTHER) {
        return next;
      }
    }
    return of(failure.getCause(), seen);
  }

  private static SqlFailure ofOne(SQLException failure) {
    String state = state(failure);
    if (CONFLICT_STATES.contains(state) || isVendorConflict(failure.getErrorCode(), state)) {
      return CONFLICT;
    }
    return isUnavailable(failure, state) ? UNAVAILABLE : OTHER;
  }

  private static String state(SQLException failure) {
    return failure.getSQLState() == null ? "" : failure.getSQLState();
  }

  private static String classOf(String state) {
    return state.substring(0, Math.min(2, state.length()));
  }

  private static boolean isVendorConflict(int code, String state) {
    return (code == H2_LOCK_TIMEOUT && state.equals("HYT00"))
        || (MYSQL_CONFLICT_CODES.contains(code) && state.startsWith("HY"));
  }

  private static boolean isVendorUnavailable(int code, String state) {
    return MYSQL_UNAVAILABLE_CODES.contains(code)
        && (state.startsWith("HY") || state.equals("42000"));
  }

  private static boolean isUnavailable(SQLException failure, String state) {
    if (failure.getErrorCode() == MYSQL_PACKET_TOO_LARGE) {
      return false;
    }
    return UNAVAILABLE_CLASSES.contains(classOf(state))
        || isVendorUnavailable(failure.getErrorCode(), state)
        || state.startsWith(OPERATOR_INTERVENTION)
        || state.equals(READ_ONLY)
        || failure instanceof SQLTransientConnectionException
        || failure instanceof SQLRecoverableException;
  }
}
