package dev.waybill.consumer.guard;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;

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
      return value.codePointCount(0, value.length());
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
      try {
        return insert.executeUpdate();
      } catch (SQLException e) {
        if (UNIQUE_VIOLATION.equals(e.getSQLState())) {
          return 0;
        }
        throw e;
      }
    }

    @Override
    int length(String value) {
      return value.length();
    }
  };

  private static final String UNIQUE_VIOLATION = "23505";

  private final String product;

  Dialect(String product) {
    this.product = product;
  }

  /** The driver knows its product without asking the server. */
  static Dialect of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    for (Dialect dialect : values()) {
      if (dialect.product.equals(product)) {
        return dialect;
      }
    }
    throw new SQLFeatureNotSupportedException(
        "The guards know PostgreSQL and H2, but this is a connection to " + product, "0A000");
  }

  abstract String insertIfNew(String insert);

  /** 1 if the row is new, 0 if its key was taken. */
  abstract int execute(PreparedStatement insert) throws SQLException;

  /** How much of a text column a value takes. */
  abstract int length(String value);
}
