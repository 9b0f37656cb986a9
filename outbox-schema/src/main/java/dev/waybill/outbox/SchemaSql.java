package dev.waybill.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * The SQL of every table that Waybill needs, as it lies in this jar. Each is a script of several
 * statements, for a migration tool or the database's own client ({@code psql}, {@code mysql}).
 * pgjdbc takes a script in one {@code Statement.execute}, Connector/J each of its {@link
 * #statements} by itself.
 */
public final class SchemaSql {

  /** A command of MySQL's client: what ends the statements to come. */
  private static final String DELIMITER = "DELIMITER ";

  /** Where a body begins and ends in PostgreSQL. */
  private static final String BODY = "$$";

  private SchemaSql() {}

  /** The outbox table with a json payload. */
  public static String outbox(Dialect dialect) {
    return read(dialect.folder() + "/outbox.sql");
  }

  /** The outbox table with a binary payload. */
  public static String outboxBinary(Dialect dialect) {
    return read(dialect.folder() + "/outbox-binary.sql");
  }

  /** Writer, capture user and janitor, with the least privileges that do. */
  public static String roles(Dialect dialect) {
    return read(dialect.folder() + "/roles.sql");
  }

  /**
   * The publication of one engine, PostgreSQL only.
   *
   * @param engine the name of the engine; the publication is {@code waybill_<engine>}
   */
  public static String publication(String engine) {
    return read("postgresql/publication.sql").replace("${engine}", engine);
  }

  /** A trigger that refuses rows which the log would not show, MySQL only. */
  public static String wholeRows() {
    return read("mysql/whole-rows.sql");
  }

  /** The tables of a consumer, for the database that its handlers write to. */
  public static String consumer(ConsumerDatabase database) {
    return read("consumer/" + database.folder() + "/consumer.sql");
  }

  /**
   * The statements of a script of this class, without comments and what ends them. Not a parser:
   * other scripts may need one.
   */
  public static List<String> statements(String script) {
    List<String> statements = new ArrayList<>();
    StringJoiner statement = new StringJoiner("\n");
    String delimiter = ";";
    boolean inBody = false;
    for (String line : script.lines().filter(SchemaSql::isSql).toList()) {
      if (line.startsWith(DELIMITER)) {
        delimiter = line.substring(DELIMITER.length());
        continue;
      }
      inBody ^= line.contains(BODY) && !delimiter.equals(BODY);
      if (inBody || !line.endsWith(delimiter)) {
        statement.add(line);
        continue;
      }
      statement.add(line.substring(0, line.length() - delimiter.length()));
      statements.add(statement.toString());
      statement = new StringJoiner("\n");
    }
    return List.copyOf(statements);
  }

  private static boolean isSql(String line) {
    return !line.isBlank() && !line.strip().startsWith("--");
  }

  private static String read(String name) {
    try (InputStream in = SchemaSql.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("The jar of outbox-schema lacks " + name);
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("The jar of outbox-schema cannot be read: " + name, e);
    }
  }
}
