package dev.waybill.cli;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.Diagnosis;
import dev.waybill.engine.Diagnosis.Finding;
import dev.waybill.engine.Diagnosis.Kind;
import dev.waybill.engine.capture.GapException;
import dev.waybill.engine.capture.SourceMisconfiguredException;
import dev.waybill.engine.capture.SourceUnavailableException;
import dev.waybill.engine.publish.BrokerUnavailableException;
import dev.waybill.engine.publish.ProgressUnreadableException;
import dev.waybill.engine.publish.UnpublishableException;
import dev.waybill.engine.settings.ConfigurationException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command line as far as it goes without servers. */
class WaybillTest {

  /** What a command said and how it ended. */
  private record Run(int exitCode, String out, String err) {

    static Run of(String... arguments) {
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      CommandLine line =
          Waybill.commandLine()
              .setOut(new PrintWriter(out, true))
              .setErr(new PrintWriter(err, true));
      int code = line.execute(arguments);
      return new Run(code, out.toString(), err.toString());
    }
  }

  @ParameterizedTest
  @CsvSource({"run", "doctor", "fly", "schema --fly", "schema tables", "run -c"})
  void endsWith2AndTheUsageWhenTheCommandLineIsWrong(String line) {
    Run run = Run.of(line.split(" "));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("Usage: waybill");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void endsWith2AndTheUsageWithoutACommand() {
    Run run = Run.of();
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("run", "schema", "doctor", "Exit codes");
  }

  @ParameterizedTest
  @CsvSource({"run", "doctor"})
  void endsWith2AndAllProblemsWhenTheConfigurationIsWrong(String command, @TempDir Path folder)
      throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("bad.yaml"),
            "engine: { name: Shop }\nsource: { urll: x }\nhttp: { port: eighty }\n");
    Run run = Run.of(command, "-c", file.toString());
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err().lines())
        .anyMatch(line -> line.contains("engine.name") && line.contains("\"Shop\""))
        .anyMatch(line -> line.contains("source.urll") && line.endsWith("source.url"))
        .anyMatch(line -> line.contains("http.port") && line.contains("\"eighty\""))
        .anyMatch(line -> line.contains("publish.kafka.bootstrap.servers"))
        .noneMatch(line -> line.contains("Exception"));
  }

  @Test
  void printsTheSchema() {
    assertThat(Run.of("schema").out())
        .contains("CREATE TABLE outbox_event", "CREATE ROLE waybill_capture")
        .doesNotContain("CREATE PUBLICATION", "consumed_event");
    assertThat(Run.of("schema", "--engine", "shop").out())
        .contains("CREATE TABLE outbox_event", "CREATE PUBLICATION waybill_shop ");
    assertThat(Run.of("schema", "consumer").out())
        .contains("CREATE TABLE consumed_event")
        .doesNotContain("outbox_event");
    assertThat(Run.of("schema", "outbox-binary").out()).contains("bytea");
  }

  @Test
  void printsTheSchemaOfMySql() {
    assertThat(Run.of("schema", "--database", "mysql", "--engine", "shop").out())
        .contains("CREATE TABLE outbox_event", "ENGINE = InnoDB", "REPLICATION SLAVE", "TRIGGER")
        .doesNotContain("PUBLICATION", "consumed_event");
    assertThat(Run.of("schema", "outbox-binary", "--database", "mysql").out()).contains("LONGBLOB");
  }

  @Test
  void appliesToNoOtherDatabaseThanTheConfigured(@TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("shop.yaml"),
            """
            engine: { name: shop }
            source: { url: "jdbc:postgresql://127.0.0.1:1/shop", user: u, password: p }
            publish: { kafka: { bootstrap.servers: "127.0.0.1:1" } }
            """);
    Run run = Run.of("schema", "-c", file.toString(), "--database", "mysql", "--apply");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--apply goes to the database of FILE, which is not mysql");
  }

  @Test
  void asksForTheNameOfThePublicationAndTheDatabaseToApplyTo() {
    Run publication = Run.of("schema", "publication");
    assertThat(publication.exitCode()).isEqualTo(2);
    assertThat(publication.err()).contains("--engine");
    Run hostile = Run.of("schema", "publication", "--engine", "x\";drop");
    assertThat(hostile.exitCode()).isEqualTo(2);
    assertThat(hostile.err()).contains("1 to 40 characters of a-z 0-9 _");
    assertThat(Run.of("schema", "--apply").exitCode()).isEqualTo(2);
    assertThat(Run.of("schema", "--database", "oracle").exitCode()).isEqualTo(2);
    Run mysql = Run.of("schema", "publication", "--database", "mysql", "--engine", "shop");
    assertThat(mysql.exitCode()).isEqualTo(2);
    assertThat(mysql.err()).contains("there is no publication for mysql");
  }

  @Test
  void saysWhereTheDemoIs() {
    assertThat(Run.of("demo").out()).contains("./waybill demo");
  }

  @Test
  void tellsItsVersion() {
    Run run = Run.of("--version");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith("waybill ");
  }

  @Test
  void endsWithTheCodeOfTheFailure() {
    Map<Throwable, Integer> codes =
        Map.ofEntries(
            entry(new UnpublishableException("x"), 1),
            entry(new ConfigurationException(List.of("x")), 2),
            entry(new SourceMisconfiguredException(List.of("x")), 2),
            entry(new ProgressUnreadableException("x"), 2),
            entry(new SQLException("x", "42P07"), 2),
            entry(new SQLException("x", "08001"), 3),
            entry(new SQLException("too many connections", "53300"), 3),
            entry(new SQLException("starting up", "57P03"), 3),
            entry(new SourceUnavailableException("x", null), 3),
            entry(new BrokerUnavailableException("x", null), 3),
            entry(new GapException("x"), 4),
            entry(new OutOfMemoryError("x"), 5));
    assertThat(codes)
        .allSatisfy((failure, code) -> assertThat(ExitCode.of(failure).number()).isEqualTo(code));
  }

  @Test
  void endsTheDoctorWithTheWorstThatItFound() {
    assertThat(DoctorCommand.exitCode(diagnosis(Kind.FINE, Kind.WARNING))).isEqualTo(ExitCode.FINE);
    assertThat(DoctorCommand.exitCode(diagnosis(Kind.FINE, Kind.PROBLEM)))
        .isEqualTo(ExitCode.FOUND);
    assertThat(DoctorCommand.exitCode(diagnosis(Kind.PROBLEM, Kind.GAP))).isEqualTo(ExitCode.GAP);
    assertThat(DoctorCommand.exitCode(diagnosis(Kind.GAP, Kind.UNREACHABLE)))
        .isEqualTo(ExitCode.UNREACHABLE);
  }

  private static Diagnosis diagnosis(Kind... kinds) {
    return new Diagnosis(
        Arrays.stream(kinds).map(kind -> new Finding(kind, "source", "text")).toList());
  }
}
