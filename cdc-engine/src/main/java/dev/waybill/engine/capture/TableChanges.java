package dev.waybill.engine.capture;

import dev.waybill.engine.capture.MySqlColumns.Column;
import dev.waybill.engine.capture.SourceConfig.Columns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/**
 * What Debezium has understood of statements that change tables, in the form of its {@code
 * ConnectTableChangeSerializer}. Confined to one thread.
 *
 * <p>Beside the outbox tables those are kept that might become one: tools that change a large table
 * make a new one, fill it for hours and then give it the other's name.
 */
final class TableChanges {

  private static final String FIELD = "tableChanges";

  private static final Pattern NAME = Pattern.compile("\"((?:[^\"]|\"\")+)\"");

  /** A type's name, which may be of several words, and what follows its arguments. */
  private static final Pattern TYPE =
      Pattern.compile("(.+?)((?: (?:unsigned|signed|zerofill|binary))*)");

  private static final Pattern CHAR = Pattern.compile("(?:national |n)?char(?:acter)?");

  private static final Pattern VARCHAR =
      Pattern.compile("(?:national |n)?(?:varchar|char(?:acter)? var(?:ying|char))");

  private final List<TableName> tables;
  private final Set<String> required;
  private final String engine;

  TableChanges(List<TableName> tables, Columns columns, String engine) {
    this.tables = tables;
    this.required = required(columns);
    this.engine = engine;
  }

  private static Set<String> required(Columns columns) {
    Set<String> required = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    Arrays.stream(RowField.values())
        .filter(field -> field.required(columns))
        .map(field -> field.column(columns))
        .forEach(required::add);
    return required;
  }

  static boolean isOne(Struct value) {
    return value.schema().field(FIELD) != null;
  }

  /**
   * @throws GapException when an outbox table was changed by a statement that was not understood
   */
  void apply(Struct value, String gtid, MySqlTracker tracker) {
    List<Struct> changes = value.getArray(FIELD);
    if (changes.isEmpty()) {
      refuseIfOurs(value, gtid, tracker);
    }
    for (Struct change : changes) {
      List<TableName> names = names(change.getString("id"));
      tracker.columns(gtid, names.get(0), null);
      tracker.columns(gtid, names.get(names.size() - 1), columns(change, names));
    }
  }

  private void refuseIfOurs(Struct value, String gtid, MySqlTracker tracker) {
    String ddl = value.getString("ddl");
    String database = value.getString("databaseName");
    if (ddl == null) {
      return;
    }
    LoggedStatement statement = new LoggedStatement(ddl, database == null ? "" : database);
    for (TableName table : tables) {
      boolean isIdle = statement.createsIfMissing(table) && tracker.knows(table);
      if (statement.defines(table) && !isIdle) {
        throw GapException.behind(
            "the transaction before it",
            engine,
            "Statement "
                + gtid
                + " of the log changes "
                + table
                + " and was not understood: "
                + ddl,
            "");
      }
    }
  }

  /** {@code "database"."table"}; for a table that was renamed the old and the new name. */
  private static List<TableName> names(String id) {
    List<String> parts =
        NAME.matcher(id)
            .results()
            .map((MatchResult part) -> part.group(1).replace("\"\"", "\""))
            .toList();
    List<TableName> names = new ArrayList<>();
    for (int i = 0; i + 1 < parts.size(); i += 2) {
      names.add(new TableName(parts.get(i), parts.get(i + 1)));
    }
    return names;
  }

  private @Nullable MySqlColumns columns(Struct change, List<TableName> names) {
    Struct definition = change.getStruct("table");
    if (definition == null || "DROP".equals(change.getString("type"))) {
      return null;
    }
    List<Column> columns =
        definition.<Struct>getArray("columns").stream().map(TableChanges::column).toList();
    return tables.contains(names.get(names.size() - 1)) || mayBecomeOurs(columns)
        ? MySqlColumns.of(columns, definition.getString("defaultCharsetName"))
        : null;
  }

  private boolean mayBecomeOurs(List<Column> columns) {
    Set<String> present = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    columns.forEach(column -> present.add(column.name()));
    return present.containsAll(required);
  }

  private static Column column(Struct column) {
    return new Column(
        column.getString("name"),
        type(column),
        column.getString("charsetName"),
        column.getBoolean("optional"));
  }

  /** As the server writes it: {@code bigint unsigned}, {@code varchar(64)}, {@code enum('a')}. */
  private static String type(Struct column) {
    Matcher type = TYPE.matcher(column.getString("typeName").toLowerCase(Locale.ROOT));
    return type.matches() ? plain(type.group(1)) + arguments(column) + type.group(2) : "";
  }

  /** A national one names its charset itself, and takes no other. */
  private static String plain(String type) {
    return CHAR.matcher(type).matches()
        ? "char"
        : VARCHAR.matcher(type).matches() ? "varchar" : type;
  }

  private static String arguments(Struct column) {
    List<String> values = column.getArray("enumValues");
    if (values != null && !values.isEmpty()) {
      return "(" + String.join(",", values.stream().map(TableChanges::literal).toList()) + ")";
    }
    Integer length = column.getInt32("length");
    Integer scale = column.getInt32("scale");
    return length == null
        ? ""
        : scale == null ? "(" + length + ")" : "(" + length + "," + scale + ")";
  }

  /** Debezium keeps the quotes of some and drops those of others. */
  private static String literal(String value) {
    return value.startsWith("'") ? value : "'" + value.replace("'", "''") + "'";
  }
}
