package dev.waybill.outbox;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The kinds of database an outbox can live in, and what they want said differently. */
public enum Dialect {
  POSTGRESQL("postgresql", '"') {
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
  MYSQL("mysql", '`') {
    @Override
    void setUntyped(PreparedStatement statement, int index, @Nullable String value)
        throws SQLException {
      statement.setString(index, value);
    }

    /** As text: the driver would move a time to another zone, and may drop its fractions. */
    @Override
    void setTime(PreparedStatement statement, int index, Instant time) throws SQLException {
      statement.setString(index, DATETIME.format(time));
    }
  };

  private static final DateTimeFormatter DATETIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final String folder;
  private final char quote;

  Dialect(String folder, char quote) {
    this.folder = folder;
    this.quote = quote;
  }

  String folder() {
    return folder;
  }

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
