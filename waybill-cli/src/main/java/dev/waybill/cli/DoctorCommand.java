package dev.waybill.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.engine.Diagnosis;
import dev.waybill.engine.Diagnosis.Finding;
import dev.waybill.engine.Diagnosis.Kind;
import dev.waybill.engine.Doctor;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code waybill doctor}: everything that is wrong, in one report. */
@Command(
    name = "doctor",
    description = {
      "Looks at configuration, source and broker, and changes nothing.",
      "Names all problems together, each with the SQL or the setting that mends it."
    },
    mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {

  @Mixin private ConfigFile config;

  @Option(names = "--json", description = "for scripts")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException, JsonProcessingException {
    Diagnosis diagnosis = Doctor.examine(config.read());
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(toJson(diagnosis));
    } else {
      diagnosis.findings().forEach(finding -> out.println(line(finding)));
    }
    return exitCode(diagnosis).number();
  }

  /** What could not be looked at comes first: the report has a hole then. */
  static ExitCode exitCode(Diagnosis diagnosis) {
    if (diagnosis.has(Kind.UNREACHABLE)) {
      return ExitCode.UNREACHABLE;
    }
    if (diagnosis.has(Kind.GAP)) {
      return ExitCode.GAP;
    }
    return diagnosis.has(Kind.PROBLEM) ? ExitCode.FOUND : ExitCode.FINE;
  }

  private static String line(Finding finding) {
    return "%-11s  %-6s  %s".formatted(name(finding.kind()), finding.subject(), finding.text());
  }

  private static String toJson(Diagnosis diagnosis) throws JsonProcessingException {
    List<Map<String, String>> findings =
        diagnosis.findings().stream().map(DoctorCommand::toMap).toList();
    return new ObjectMapper().writeValueAsString(Map.of("findings", findings));
  }

  private static Map<String, String> toMap(Finding finding) {
    Map<String, String> members = new LinkedHashMap<>();
    members.put("kind", name(finding.kind()));
    members.put("subject", finding.subject());
    members.put("text", finding.text());
    return members;
  }

  private static String name(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
