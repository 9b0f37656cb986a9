package dev.waybill.engine.capture;

import com.mysql.cj.exceptions.UnableToConnectException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** What an error of the server means for us, by MySQL's error code. Stateless. */
final class MySqlErrors {

  /** {@code ER_DBACCESS_DENIED_ERROR}: also where there is no such database. */
  static final int DATABASE_DENIED = 1044;

  /** {@code ER_ACCESS_DENIED_ERROR}: wrong password, or no such user. */
  static final int LOGIN_DENIED = 1045;

  /** {@code ER_BAD_DB_ERROR} */
  static final int NO_SUCH_DATABASE = 1049;

  /** {@code ER_HOST_NOT_PRIVILEGED} */
  static final int HOST_DENIED = 1130;

  /** {@code ER_TABLEACCESS_DENIED_ERROR} */
  static final int TABLE_DENIED = 1142;

  /** {@code ER_COLUMNACCESS_DENIED_ERROR} */
  static final int COLUMN_DENIED = 1143;

  /** {@code ER_SPECIFIC_ACCESS_DENIED_ERROR} */
  static final int PRIVILEGE_MISSING = 1227;

  /** {@code ER_ERROR_WHEN_EXECUTING_COMMAND}: of the log, that it cannot be read at a place. */
  static final int COMMAND_FAILED = 1220;

  /** {@code ER_MUST_CHANGE_PASSWORD_LOGIN} */
  static final int PASSWORD_EXPIRED = 1862;

  /** {@code ER_ACCOUNT_HAS_BEEN_LOCKED} */
  static final int ACCOUNT_LOCKED = 3118;

  private static final Set<Integer> REFUSED_LOGIN =
      Set.of(
          DATABASE_DENIED,
          LOGIN_DENIED,
          NO_SUCH_DATABASE,
          HOST_DENIED,
          PASSWORD_EXPIRED,
          ACCOUNT_LOCKED);

  private static final Set<Integer> DENIED =
      Set.of(DATABASE_DENIED, TABLE_DENIED, COLUMN_DENIED, PRIVILEGE_MISSING);

  private MySqlErrors() {}

  /** The server refuses this login or this database for good, as far as it knows. */
  static boolean isRefusedLogin(SQLException error) {
    return REFUSED_LOGIN.contains(error.getErrorCode());
  }

  /** A privilege is missing. */
  static boolean isDenied(SQLException error) {
    return DENIED.contains(error.getErrorCode());
  }

  /** As everything but a misconfiguration: waiting is the remedy. */
  static SourceUnavailableException unavailable(String doing, SQLException error) {
    return new SourceUnavailableException(
        doing + " failed with " + code(error) + ": " + error.getMessage(), error);
  }

  static RuntimeException atLogin(MySqlConnections connections, SQLException error) {
    if (isRefusedLogin(error)) {
      return new SourceMisconfiguredException(
          List.of(
              "the server refuses to let "
                  + connections
                  + " in, "
                  + code(error)
                  + ": "
                  + error.getMessage()
                  + ". Check source.url, source.user, source.password and the user's grants: a"
                  + " database in which a user may do nothing is refused as if there were none"));
    }
    if (error.getCause() instanceof UnableToConnectException) {
      return new SourceMisconfiguredException(
          List.of(
              "the driver refuses to log in at "
                  + connections
                  + ": "
                  + error.getMessage()
                  + ". Over a connection without TLS a password is sent encrypted with a key that"
                  + " the server hands out, if that is allowed: use TLS (source.url with"
                  + " sslMode=REQUIRED), or add allowPublicKeyRetrieval=true to source.url"));
    }
    return unavailable("connecting to " + connections, error);
  }

  /** For messages: MySQL's code, or the driver's SQLSTATE where the server said nothing. */
  static String code(SQLException error) {
    return error.getErrorCode() == 0
        ? "SQLSTATE " + error.getSQLState()
        : "error " + error.getErrorCode();
  }
}
