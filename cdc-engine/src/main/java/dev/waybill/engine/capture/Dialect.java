package dev.waybill.engine.capture;

import dev.waybill.engine.capture.SourceConfig.Layout;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** What the databases and their drivers do differently when rows are read by SQL. */
enum Dialect {

  /** The driver fetches by cursor, which wants a transaction. */
  POSTGRES(100) {
    @Override
    String identifier(String name) {
      return Sql.identifier(name);
    }

    @Override
    String nullsFirst(String column) {
      return column + " NULLS FIRST";
    }

    @Override
    String contentType(String typeName, Layout layout) {
      return ContentType.ofPostgres(typeName);
    }

    @Override
    @Nullable Instant time(ResultSet rows, int column) throws SQLException {
      if (rows.getMetaData().getColumnTypeName(column).equals("timestamptz")) {
        OffsetDateTime time = rows.getObject(column, OffsetDateTime.class);
        return time == null ? null : Times.of(time);
      }
      LocalDateTime time = rows.getObject(column, LocalDateTime.class);
      return time == null ? null : Times.of(time);
    }

    @Override
    SourceUnavailableException unavailable(String doing, SQLException error) {
      return PostgresErrors.unavailable(doing, error);
    }

    @Override
    void limitSilence(Connection connection, Duration limit) {}

    @Override
    void abandon(Connection connection) throws SQLException {
      connection.close();
    }
  },

  /** By this number the driver reads row by row off the wire; any other takes all rows at once. */
  MYSQL(Integer.MIN_VALUE) {
    @Override
    String identifier(String name) {
      return '`' + name.replace("`", "``") + '`';
    }

    @Override
    String nullsFirst(String column) {
      return column;
    }

    @Override
    String contentType(String typeName, Layout layout) {
      return ContentType.ofMySql(typeName, layout);
    }

    @Override
    @Nullable Instant time(ResultSet rows, int column) throws SQLException {
      LocalDateTime time = rows.getObject(column, LocalDateTime.class);
      return time == null ? null : Times.of(time);
    }

    @Override
    SourceUnavailableException unavailable(String doing, SQLException error) {
      return MySqlErrors.unavailable(doing, error);
    }

    @Override
    void limitSilence(Connection connection, Duration limit) throws SQLException {
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(limit.toMillis()));
    }

    /** Closing it, the driver would first read all rows that are left. */
    @Override
    void abandon(Connection connection) throws SQLException {
      connection.abort(Runnable::run);
    }
  };

  private final int fetchRows;

  Dialect(int fetchRows) {
    this.fetchRows = fetchRows;
  }

  /** What a statement is told that is to hold few rows in memory: they may be megabytes. */
  int fetchRows() {
    return fetchRows;
  }

  /** A name as SQL takes it. */
  abstract String identifier(String name);

  String table(TableName table) {
    return identifier(table.schema()) + "." + identifier(table.name());
  }

  /** In ORDER BY, ascending. */
  abstract String nullsFirst(String column);

  /**
   * Of a payload.
   *
   * @param typeName of its column, as the driver has it
   */
  abstract String contentType(String typeName, Layout layout);

  /** Null for NULL and what an {@link Instant} cannot hold; without a zone it is UTC. */
  abstract @Nullable Instant time(ResultSet rows, int column) throws SQLException;

  abstract SourceUnavailableException unavailable(String doing, SQLException error);

  /**
   * How long a server may say nothing while rows are read off the wire; zero for as long as it
   * likes. Nothing where they are fetched by statements.
   */
  abstract void limitSilence(Connection connection, Duration limit) throws SQLException;

  /** Closes a connection although rows of it have not been read. */
  abstract void abandon(Connection connection) throws SQLException;
}
