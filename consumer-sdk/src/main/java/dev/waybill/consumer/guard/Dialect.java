package dev.waybill.consumer.guard;

import static java.util.stream.Collectors.joining;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Optional;

/** What the databases do differently: insert-if-new that leaves the transaction usable. */
enum Dialect {

  /** Waits for an uncommitted row of the same key, then counts 0 if that was committed. */
  POSTGRESQL("PostgreSQL") {
    @Override
    String insertIfNew(String insert) {
      return insert + " ON CONFLICT DO NOTHING";
    }

    @Override
    int execute(PreparedStatement insert) throws SQLException {
      return insert.executeUpdate();
    }

    @Override
    int length(String value) {
      return codePoints(value);
    }
  },

  /**
   * A violated key rolls back the statement, not the transaction, and these tables have one key
   * each. The other forms of insert-if-new do not do: {@code IGNORE} hides what is cut, and what
   * {@code ON DUPLICATE KEY UPDATE} counts depends on the driver's {@code useAffectedRows}: a row
   * that was there and stayed as it was counts 1 by default, like a new one.
   */
  MYSQL("MySQL") {
    @Override
    String insertIfNew(String insert) {
      return insert;
    }

    @Override
    int execute(PreparedStatement insert) throws SQLException {
      return zeroIf(insert, e -> e.getErrorCode() == MYSQL_DUPLICATE_ENTRY);
    }

    @Override
    int length(String value) {
      return codePoints(value);
    }

    /** For the next transaction alone: the connection's own isolation stays as it is. */
    @Override
    void begin(Connection connection) throws SQLException {
      run(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    }

    @Override
    String now() {
      return "UTC_TIMESTAMP(6)";
    }

    @Override
    String session() {
      return "CAST(CONNECTION_ID() AS CHAR)";
    }

    /** A snapshot may be older than the row that was in the way. */
    @Override
    String latest(String select) {
      return select + " FOR UPDATE";
    }

    @Override
    boolean marks() {
      return true;
    }

    /** Whatever ends a transaction, a deadlock and DDL included, forgets its savepoints. */
    @Override
    void mark(Connection connection, String mark) throws SQLException {
      run(connection, "SAVEPOINT " + mark);
    }

    /** As text: Connector/J does nothing when it is told to release a savepoint. */
    @Override
    boolean takeMark(Connection connection, String mark) throws SQLException {
      try {
        run(connection, "RELEASE SAVEPOINT " + mark);
        return true;
      } catch (SQLException e) {
        if (e.getErrorCode() == MYSQL_DOES_NOT_EXIST) {
          return false;
        }
        throw e;
      }
    }
  },

  /** A violated key does not abort the transaction, and these tables have one key each. */
  H2("H2") {
    @Override
    String insertIfNew(String insert) {
      return insert;
    }

    @Override
    int execute(PreparedStatement insert) throws SQLException {
      return zeroIf(insert, e -> UNIQUE_VIOLATION.equals(e.getSQLState()));
    }

    @Override
    int length(String value) {
      return value.length();
    }
  };

  private static final String UNIQUE_VIOLATION = "23505";

  /** ER_DUP_ENTRY. Its state, 23000, stands for a NOT NULL that was violated as well. */
  private static final int MYSQL_DUPLICATE_ENTRY = 1062;

  /** ER_SP_DOES_NOT_EXIST, of savepoints too. */
  private static final int MYSQL_DOES_NOT_EXIST = 1305;

  private final String product;

  Dialect(String product) {
    this.product = product;
  }

  static Dialect of(Connection connection) throws SQLException {
    Optional<Dialect> known = known(connection);
    if (known.isEmpty()) {
      throw new SQLFeatureNotSupportedException(
          "The guards know %s, but this is a connection to %s"
              .formatted(
                  Arrays.stream(values()).map(dialect -> dialect.product).collect(joining(", ")),
                  connection.getMetaData().getDatabaseProductName()),
          "0A000");
    }
    return known.get();
  }

  /**
   * Empty for a database without guards. The driver knows its product without asking the server.
   */
  static Optional<Dialect> known(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return Arrays.stream(values()).filter(dialect -> dialect.product.equals(product)).findFirst();
  }

  abstract String insertIfNew(String insert);

  /** 1 if the row is new, 0 if its key was taken. */
  abstract int execute(PreparedStatement insert) throws SQLException;

  /** How much of a text column a value takes. */
  abstract int length(String value);

  /** Prepares the transaction that is about to begin on a connection with auto-commit off. */
  void begin(Connection connection) throws SQLException {}

  /** The time as the guard's columns have it. */
  String now() {
    return "CURRENT_TIMESTAMP";
  }

  /** What no other connection is called at the same time; NULL where nobody needs to know. */
  String session() {
    return "NULL";
  }

  /** A query whose answer is what the last commit left, whatever the transaction has seen. */
  String latest(String select) {
    return select;
  }

  /**
   * Whether {@link #mark} and {@link #takeMark} tell if a transaction was ended in between. Where
   * they do not, the guard's row has to.
   */
  boolean marks() {
    return false;
  }

  void mark(Connection connection, String mark) throws SQLException {}

  /** False if the transaction that was marked has ended. */
  boolean takeMark(Connection connection, String mark) throws SQLException {
    throw new UnsupportedOperationException(product + " sets no marks");
  }

  private interface Refusal {
    boolean isKeyTaken(SQLException failure);
  }

  private static int zeroIf(PreparedStatement insert, Refusal refusal) throws SQLException {
    try {
      return insert.executeUpdate();
    } catch (SQLException e) {
      if (refusal.isKeyTaken(e)) {
        return 0;
      }
      throw e;
    }
  }

  private static int codePoints(String value) {
    return value.codePointCount(0, value.length());
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
