package dev.waybill.engine.capture;

import static java.util.stream.Collectors.joining;

import java.util.Collection;
import java.util.Comparator;
import java.util.Objects;

/**
 * A table's exact name, as the database's catalogue spells it: nothing is folded to lower case.
 *
 * @param schema on PostgreSQL its schema, on MySQL its database
 */
public record TableName(String schema, String name) implements Comparable<TableName> {

  private static final Comparator<TableName> ORDER =
      Comparator.comparing(TableName::schema).thenComparing(TableName::name);

  public TableName {
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(name, "name");
    if (schema.isEmpty() || name.isEmpty()) {
      throw new IllegalArgumentException(
          "a table needs a schema and a name: " + schema + "." + name);
    }
  }

  /**
   * Reads {@code schema.table}; the first dot divides the two.
   *
   * @throws IllegalArgumentException if there is no dot, or nothing on one side of it
   */
  public static TableName parse(String text) {
    int dot = text.indexOf('.');
    if (dot < 0) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no table name: write it as schema.table, such as public." + text);
    }
    return new TableName(text.substring(0, dot), text.substring(dot + 1));
  }

  /** The names in order, divided by commas. */
  static String list(Collection<TableName> tables) {
    return tables.stream().map(TableName::toString).sorted().collect(joining(","));
  }

  /** The name as SQL takes it. */
  String quoted() {
    return Sql.identifier(schema) + "." + Sql.identifier(name);
  }

  @Override
  public int compareTo(TableName other) {
    return ORDER.compare(this, other);
  }

  /** {@code schema.table} */
  @Override
  public String toString() {
    return schema + "." + name;
  }
}
