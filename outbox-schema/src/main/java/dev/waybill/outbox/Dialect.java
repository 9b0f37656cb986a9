package dev.waybill.outbox;

import dev.waybill.event.OutboxEvent;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** The kinds of database an outbox can live in, and what they want said differently. */
public enum Dialect {
  POSTGRESQL("postgresql", '"', "INSERT INTO ", "the transaction can only be rolled back") {
    @Override
    Insertion insertion(InsertStatement insert) {
      return new InOneBatch(insert);
    }

    @Override
    @Nullable String refusal(OutboxEvent event) {
      return null;
    }

    @Override
    void setText(PreparedStatement statement, int index, @Nullable String value)
        throws SQLException {
      statement.setString(index, value);
    }

    @Override
    void setUntyped(PreparedStatement statement, int index, @Nullable String value)
        throws SQLException {
      // A parameter of no type takes the column's: json, jsonb and text, or uuid and varchar.
      statement.setObject(index, value, Types.OTHER);
    }

    @Override
    void setTime(PreparedStatement statement, int index, Instant time) throws SQLException {
      statement.setObject(index, time.atOffset(ZoneOffset.UTC));
    }
  },

  /**
   * Text goes as national text, and so does a time. The driver replaces characters that are not in
   * the connection's {@code characterEncoding} by question marks, but national ones it sends as
   * UTF-8 or refuses; a time it would move to another zone, and may cut.
   */
  MYSQL(
      "mysql",
      '`',
      // Strict for this statement alone: sessions that are not cut what is too long.
      "INSERT /*+ SET_VAR(sql_mode = 'TRADITIONAL') */ INTO ",
      "nothing of this call is in the transaction, which should be rolled back") {
    @Override
    Insertion insertion(InsertStatement insert) {
      return new InBoundedStatements(insert);
    }

    @Override
    @Nullable String refusal(OutboxEvent event) {
      return MySqlLimits.refusal(event);
    }

    @Override
    void setText(PreparedStatement statement, int index, @Nullable String value)
        throws SQLException {
      statement.setNString(index, value);
    }

    @Override
    void setUntyped(PreparedStatement statement, int index, @Nullable String value)
        throws SQLException {
      setText(statement, index, value);
    }

    @Override
    void setTime(PreparedStatement statement, int index, Instant time) throws SQLException {
      setText(statement, index, MySqlLimits.datetime(time));
    }
  };

  private final String folder;
  private final char quote;
  private final String insertInto;
  private final String afterFailure;

  Dialect(String folder, char quote, String insertInto, String afterFailure) {
    this.folder = folder;
    this.quote = quote;
    this.insertInto = insertInto;
    this.afterFailure = afterFailure;
  }

  String folder() {
    return folder;
  }

  /** How an INSERT begins, up to the table. */
  String insertInto() {
    return insertInto;
  }

  /** What a failed append leaves of the transaction: the end of a sentence. */
  String afterFailure() {
    return afterFailure;
  }

  abstract Insertion insertion(InsertStatement insert);

  /**
   * The end of a sentence that begins with the event, about what this database refuses late or
   * changes silently, though an event may have it; null if there is nothing of the kind.
   */
  abstract @Nullable String refusal(OutboxEvent event);

  abstract void setText(PreparedStatement statement, int index, @Nullable String value)
      throws SQLException;

  /** Text, or NULL, for a column that need not be of a character type. */
  abstract void setUntyped(PreparedStatement statement, int index, @Nullable String value)
      throws SQLException;

  abstract void setTime(PreparedStatement statement, int index, Instant time) throws SQLException;

  /** A name as it is, and never a keyword. */
  String quoted(String name) {
    String twice = String.valueOf(quote).repeat(2);
    return quote + name.replace(String.valueOf(quote), twice) + quote;
  }

  /** {@code schema.table}, each part quoted. */
  String quotedTable(String table) {
    int dot = table.indexOf('.');
    return dot < 0
        ? quoted(table)
        : quoted(table.substring(0, dot)) + "." + quoted(table.substring(dot + 1));
  }
}
