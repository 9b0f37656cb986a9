package dev.waybill.cli;

import dev.waybill.engine.EngineConfig;
import dev.waybill.engine.capture.SourceConfig.Login;
import dev.waybill.outbox.ConsumerDatabase;
import dev.waybill.outbox.Dialect;
import dev.waybill.outbox.SchemaSql;
import dev.waybill.wire.TopicNames;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code waybill schema}: the SQL that the databases need. */
@Command(
    name = "schema",
    description =
        "Prints the SQL that the databases need, or applies it: in one transaction where the"
            + " database can, which MySQL cannot.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Outbox, roles and publication belong into the application's database, the consumer's tables",
      "into that of each service downstream."
    })
final class SchemaCommand implements Callable<Integer> {

  /** The scripts. */
  enum Part {
    OUTBOX,
    OUTBOX_BINARY,
    ROLES,
    PUBLICATION,
    WHOLE_ROWS,
    CONSUMER;

    /** As it is typed. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** The databases, called as in the configuration. */
  enum DatabaseType {
    POSTGRES(Dialect.POSTGRESQL, ConsumerDatabase.POSTGRESQL, "PGPASSWORD"),
    MYSQL(Dialect.MYSQL, ConsumerDatabase.MYSQL, "MYSQL_PWD");

    private final Dialect dialect;
    private final ConsumerDatabase consumer;
    private final String passwordVariable;

    DatabaseType(Dialect dialect, ConsumerDatabase consumer, String passwordVariable) {
      this.dialect = dialect;
      this.consumer = consumer;
      this.passwordVariable = passwordVariable;
    }

    static DatabaseType of(EngineConfig config) {
      return valueOf(config.source().type().name());
    }

    Dialect dialect() {
      return dialect;
    }

    ConsumerDatabase consumer() {
      return consumer;
    }

    /** Where the database's own client looks for a password. */
    String passwordVariable() {
      return passwordVariable;
    }

    /** Whether it has use for a part. */
    boolean has(Part part) {
      return switch (part) {
        case PUBLICATION -> this == POSTGRES;
        case WHOLE_ROWS -> this == MYSQL;
        case OUTBOX, OUTBOX_BINARY, ROLES, CONSUMER -> true;
      };
    }

    /** As it is typed. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(
      paramLabel = "PART",
      arity = "0..*",
      description =
          "any of outbox, outbox-binary, roles, publication (PostgreSQL), whole-rows (MySQL),"
              + " consumer; by default all for the outbox with JSON, but for the publication where"
              + " the engine's name is not known")
  private List<Part> parts = new ArrayList<>();

  @Option(
      names = "--database",
      paramLabel = "TYPE",
      description = "${COMPLETION-CANDIDATES} (default: the one of FILE; without FILE, postgres)")
  private @Nullable DatabaseType database;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "where the engine's name and the database are taken from")
  private @Nullable Path file;

  @Option(names = "--engine", description = "the engine's name, where there is no FILE yet")
  private @Nullable String engine;

  @Option(
      names = "--apply",
      description = "run the SQL in the database of FILE instead of printing it")
  private boolean apply;

  @Option(
      names = "--user",
      description =
          "who applies it, for the user in FILE should not be able to; the password is taken from"
              + " the variable PGPASSWORD, for MySQL MYSQL_PWD")
  private @Nullable String user;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws SQLException {
    EngineConfig config = file == null ? null : EngineConfig.read(file, System.getenv());
    DatabaseType type = type(config);
    String sql = sql(type, config);
    if (!apply) {
      spec.commandLine().getOut().print(sql);
      spec.commandLine().getOut().flush();
    } else if (config == null) {
      throw wrong("--apply needs --config FILE");
    } else if (type != DatabaseType.of(config)) {
      throw wrong("--apply goes to the database of FILE, which is not " + type);
    } else {
      apply(sql, type, config.source().login());
    }
    return ExitCode.FINE.number();
  }

  private DatabaseType type(@Nullable EngineConfig config) {
    if (database != null) {
      return database;
    }
    return config == null ? DatabaseType.POSTGRES : DatabaseType.of(config);
  }

  private String sql(DatabaseType type, @Nullable EngineConfig config) {
    String name = config == null ? engine : config.name();
    List<Part> wanted = parts.isEmpty() ? usual(type, name) : parts;
    return wanted.stream().map(part -> sql(part, type, name)).collect(Collectors.joining("\n"));
  }

  private static List<Part> usual(DatabaseType type, @Nullable String name) {
    return Stream.of(Part.OUTBOX, Part.ROLES, Part.PUBLICATION, Part.WHOLE_ROWS)
        .filter(type::has)
        .filter(part -> part != Part.PUBLICATION || name != null)
        .toList();
  }

  private String sql(Part part, DatabaseType type, @Nullable String name) {
    if (!type.has(part)) {
      throw wrong("there is no " + part + " for " + type + ": leave it out");
    }
    return switch (part) {
      case OUTBOX -> SchemaSql.outbox(type.dialect());
      case OUTBOX_BINARY -> SchemaSql.outboxBinary(type.dialect());
      case ROLES -> SchemaSql.roles(type.dialect());
      case PUBLICATION -> publication(name);
      case WHOLE_ROWS -> SchemaSql.wholeRows();
      case CONSUMER -> SchemaSql.consumer(type.consumer());
    };
  }

  private String publication(@Nullable String name) {
    if (name == null) {
      throw wrong("the publication is called after the engine: --engine or --config");
    }
    try {
      return SchemaSql.publication(TopicNames.requireEngine(name));
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage());
    }
  }

  private ParameterException wrong(@Nullable String why) {
    return new ParameterException(spec.commandLine(), String.valueOf(why));
  }

  /** All or nothing, except in MySQL, where each statement commits by itself. */
  private void apply(String sql, DatabaseType type, Login login) throws SQLException {
    String as = user == null ? login.user() : user;
    String password = user == null ? login.password() : System.getenv(type.passwordVariable());
    try (Connection connection = DriverManager.getConnection(login.url(), as, password);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (String one : SchemaSql.statements(sql)) {
        statement.execute(one);
      }
      connection.commit();
    }
    spec.commandLine().getOut().println("Applied in " + login.place() + " as " + as + ".");
  }
}
