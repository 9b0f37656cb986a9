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
    description = "Prints the SQL that the databases need, or applies it in one transaction.",
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
    CONSUMER;

    /** As it is typed. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** The databases. */
  enum DatabaseType {
    POSTGRES(Dialect.POSTGRESQL, ConsumerDatabase.POSTGRESQL);

    private final Dialect dialect;
    private final ConsumerDatabase consumer;

    DatabaseType(Dialect dialect, ConsumerDatabase consumer) {
      this.dialect = dialect;
      this.consumer = consumer;
    }

    Dialect dialect() {
      return dialect;
    }

    ConsumerDatabase consumer() {
      return consumer;
    }
  }

  @Parameters(
      paramLabel = "PART",
      arity = "0..*",
      description =
          "any of outbox, outbox-binary, roles, publication, consumer; by default outbox and roles,"
              + " and the publication where the engine's name is known")
  private List<Part> parts = new ArrayList<>();

  @Option(
      names = "--database",
      defaultValue = "postgres",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private DatabaseType database = DatabaseType.POSTGRES;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "where the engine's name and the database's URL are taken from")
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
              + " the variable PGPASSWORD")
  private @Nullable String user;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws SQLException {
    EngineConfig config = file == null ? null : EngineConfig.read(file, System.getenv());
    String sql = sql(config);
    if (!apply) {
      spec.commandLine().getOut().print(sql);
      spec.commandLine().getOut().flush();
    } else if (config == null) {
      throw new ParameterException(spec.commandLine(), "--apply needs --config FILE");
    } else {
      apply(sql, config.source().login());
    }
    return ExitCode.FINE.number();
  }

  private String sql(@Nullable EngineConfig config) {
    String name = config == null ? engine : config.name();
    List<Part> wanted = new ArrayList<>(parts);
    if (wanted.isEmpty()) {
      wanted.addAll(List.of(Part.OUTBOX, Part.ROLES));
      if (name != null) {
        wanted.add(Part.PUBLICATION);
      }
    }
    return wanted.stream().map(part -> sql(part, name)).collect(Collectors.joining("\n"));
  }

  private String sql(Part part, @Nullable String name) {
    return switch (part) {
      case OUTBOX -> SchemaSql.outbox(database.dialect());
      case OUTBOX_BINARY -> SchemaSql.outboxBinary(database.dialect());
      case ROLES -> SchemaSql.roles(database.dialect());
      case PUBLICATION -> publication(name);
      case CONSUMER -> SchemaSql.consumer(database.consumer());
    };
  }

  private String publication(@Nullable String name) {
    if (name == null) {
      throw new ParameterException(
          spec.commandLine(), "the publication is called after the engine: --engine or --config");
    }
    try {
      return SchemaSql.publication(TopicNames.requireEngine(name));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
  }

  /** All or nothing. */
  private void apply(String sql, Login login) throws SQLException {
    String as = user == null ? login.user() : user;
    String password = user == null ? login.password() : System.getenv("PGPASSWORD");
    try (Connection connection = DriverManager.getConnection(login.url(), as, password);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(sql);
      connection.commit();
    }
    spec.commandLine().getOut().println("Applied in " + login.place() + " as " + as + ".");
  }
}
