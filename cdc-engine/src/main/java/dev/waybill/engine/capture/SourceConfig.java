package dev.waybill.engine.capture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which outbox is captured, and how. Immutable; nothing is checked before {@link #problems()} is
 * asked, so that whoever reads a configuration can report all that is wrong with it together.
 *
 * @param type the kind of database
 * @param engine the engine's name: what is kept for it at the source is called {@code
 *     waybill_<engine>}
 * @param tables the outbox tables, at least one
 * @param debezium properties handed to Debezium as they are, without the prefix {@code debezium.};
 *     those that capture owns are a problem
 */
public record SourceConfig(
    Type type,
    String engine,
    Login login,
    List<TableName> tables,
    Columns columns,
    Pace pace,
    Map<String, String> debezium) {

  private static final Pattern ENGINE_NAME = Pattern.compile("[a-z0-9_]{1,40}");

  /** The kinds of databases that can be captured. */
  public enum Type {
    /** PostgreSQL 14 and later, by logical decoding with {@code pgoutput}. */
    POSTGRES,
    /** MySQL 8.0 and later, by its binary log, with GTIDs. */
    MYSQL;

    private static final String TABLE = "outbox_event";

    /**
     * The tables where none is named.
     *
     * @param url as in {@link Login}
     * @return none, if the URL is not as it must be, which {@link SourceConfig#problems} tells
     */
    public List<TableName> defaultTables(String url) {
      return switch (this) {
        case POSTGRES -> List.of(new TableName("public", TABLE));
        case MYSQL ->
            MySqlUrl.database(url).map(database -> new TableName(database, TABLE)).stream()
                .toList();
      };
    }

    private void addUrlProblems(String url, List<String> problems) {
      switch (this) {
        case POSTGRES -> PostgresUrl.addProblems(url, problems);
        case MYSQL -> MySqlUrl.addProblems(url, problems);
      }
    }
  }

  /**
   * Where the database is and who captures from it.
   *
   * @param url the JDBC URL, with one host
   * @param serverId the number under which a reader of MySQL's log is known to the server, unlike
   *     that of every other reader and server; null for one that follows from the engine's name
   */
  public record Login(String url, String user, String password, @Nullable Long serverId) {

    public Login {
      Objects.requireNonNull(url, "url");
      Objects.requireNonNull(user, "user");
      Objects.requireNonNull(password, "password");
    }

    public Login(String url, String user, String password) {
      this(url, user, password, null);
    }

    /** The URL without its parameters: what may be printed. */
    public String place() {
      int parameters = url.indexOf('?');
      return parameters < 0 ? url : url.substring(0, parameters);
    }

    @Override
    public String toString() {
      return user + "@" + place();
    }
  }

  /**
   * The names of the table's columns.
   *
   * @param overrides from a field's name, such as {@code event_id}, to a column's name; the layout
   *     names the others
   */
  public record Columns(Layout layout, Map<String, String> overrides) {

    /** The columns of a layout under their own names. */
    public static Columns of(Layout layout) {
      return new Columns(layout, Map.of());
    }

    public Columns {
      Objects.requireNonNull(layout, "layout");
      overrides = Map.copyOf(overrides);
    }

    private void addProblems(List<String> problems) {
      for (String field : new TreeMap<>(overrides).keySet()) {
        if (!RowField.isName(field)) {
          problems.add(
              "source.columns."
                  + field
                  + " is no field of an outbox row; those are "
                  + RowField.names());
        }
      }
    }
  }

  /** The shapes of outbox tables that are known. */
  public enum Layout {
    /** The table {@code outbox_event} of Waybill's own schema. */
    NATIVE,
    /** The table that Debezium's outbox event router reads. */
    DEBEZIUM
  }

  /**
   * How fast and in which portions the log is read.
   *
   * @param heartbeat how often the reading point moves while no event is written
   * @param pollInterval how long a batch waits to fill: the largest part of the delay users see
   * @param batchSize changes in a batch, at most
   * @param queueSize changes read ahead, at most; more than {@code batchSize}
   * @param queueBytes bytes read ahead, about; 0 for no limit but {@code queueSize}
   */
  public record Pace(
      Duration heartbeat, Duration pollInterval, int batchSize, int queueSize, long queueBytes) {

    public static final Pace DEFAULT =
        new Pace(Duration.ofSeconds(5), Duration.ofMillis(10), 2_048, 8_192, 64L << 20);

    private void addProblems(List<String> problems) {
      if (heartbeat.toMillis() < 1) {
        problems.add("source.heartbeat must be at least 1 ms, not " + heartbeat);
      }
      if (pollInterval.toMillis() < 1) {
        problems.add("source.poll-interval must be at least 1 ms, not " + pollInterval);
      }
      if (batchSize < 1) {
        problems.add("source.batch-size must be at least 1, not " + batchSize);
      }
      if (queueSize <= batchSize) {
        problems.add(
            "source.queue-size must be larger than the batch size "
                + batchSize
                + ", not "
                + queueSize);
      }
      if (queueBytes < 0) {
        problems.add("source.queue-bytes must not be negative: " + queueBytes);
      }
    }
  }

  public SourceConfig {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(engine, "engine");
    Objects.requireNonNull(login, "login");
    tables = List.copyOf(tables);
    Objects.requireNonNull(columns, "columns");
    Objects.requireNonNull(pace, "pace");
    debezium = Map.copyOf(debezium);
  }

  /** One table in the native layout, at the default pace. */
  public static SourceConfig postgres(String engine, Login login, TableName table) {
    return simple(Type.POSTGRES, engine, login, table);
  }

  /** One table in the native layout, at the default pace. */
  public static SourceConfig mysql(String engine, Login login, TableName table) {
    return simple(Type.MYSQL, engine, login, table);
  }

  private static SourceConfig simple(Type type, String engine, Login login, TableName table) {
    return new SourceConfig(
        type, engine, login, List.of(table), Columns.of(Layout.NATIVE), Pace.DEFAULT, Map.of());
  }

  /** Everything that is wrong here, each a sentence that names the key; empty if nothing is. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (!ENGINE_NAME.matcher(engine).matches()) {
      problems.add("engine.name must match [a-z0-9_]{1,40}, not \"" + engine + "\"");
    }
    if (tables.isEmpty() && !type.defaultTables(login.url()).isEmpty()) {
      problems.add("source.table names no table");
    }
    type.addUrlProblems(login.url(), problems);
    if (login.serverId() != null && type != Type.MYSQL) {
      problems.add("source.server-id is known to MySQL alone: leave it out");
    }
    columns.addProblems(problems);
    pace.addProblems(problems);
    DebeziumProperties.addProblems(type, debezium, problems);
    return List.copyOf(problems);
  }
}
