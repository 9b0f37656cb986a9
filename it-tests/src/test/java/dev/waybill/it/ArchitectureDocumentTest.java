package dev.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/architecture.md says of tests is true: they exist. */
class ArchitectureDocumentTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern TEST =
      Pattern.compile("`(?:(\\w+(?:Test|Suite|Contract))(?:\\.(\\w+))?|([a-z]\\w+))`");

  private static final Pattern SUITE =
      Pattern.compile("(?m)^\\| `(\\w+)Suite` \\|([^|]*)\\|([^|]*)\\|([^|]*)\\|([^|]*)\\|$");
  private static final List<String> SERVERS =
      List.of("Postgres14", "Postgres16", "Postgres18", "MySql");

  @Test
  void everyTestThatItNamesExists() throws IOException {
    Map<String, String> sources = testSources();
    List<String> missing = new ArrayList<>();
    for (String row : table()) {
      String suite = "";
      Matcher test = TEST.matcher(row.substring(row.lastIndexOf('|', row.length() - 2)));
      while (test.find()) {
        suite = test.group(1) == null ? suite : test.group(1);
        String method = test.group(2) == null ? test.group(3) : test.group(2);
        String source = sources.getOrDefault(suite, "");
        if (source.isEmpty() || (method != null && !source.contains("void " + method + "("))) {
          missing.add(suite + "." + method);
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void everySuiteRunsWhereItSays() throws IOException {
    List<String> said = new ArrayList<>();
    Matcher row = SUITE.matcher(Files.readString(ROOT.resolve("docs/architecture.md")));
    while (row.find()) {
      for (int column = 0; column < SERVERS.size(); column++) {
        if (!row.group(column + 2).isBlank()) {
          said.add(row.group(1) + "On" + SERVERS.get(column) + "Test");
        }
      }
    }
    Set<String> tests = testSources().keySet();
    assertThat(said)
        .containsExactlyInAnyOrderElementsOf(
            tests.stream()
                .filter(name -> name.matches("\\w+On(Postgres\\d+|MySql)Test"))
                .filter(name -> tests.contains(name.replaceFirst("On.*", "Suite")))
                .toList());
  }

  private static List<String> table() throws IOException {
    String document = Files.readString(ROOT.resolve("docs/architecture.md"));
    List<String> rows =
        document
            .substring(document.indexOf("## Which test shows what"))
            .lines()
            .filter(line -> line.startsWith("|") && line.contains("`"))
            .toList();
    assertThat(rows).hasSizeGreaterThan(25);
    return rows;
  }

  private static Map<String, String> testSources() throws IOException {
    Map<String, String> sources = new TreeMap<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path tests : modules.map(m -> m.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(tests)) {
          read(tests, sources);
        }
      }
    }
    return sources;
  }

  private static void read(Path tests, Map<String, String> sources) throws IOException {
    try (Stream<Path> files = Files.walk(tests)) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .forEach(
              file -> {
                String name = file.getFileName().toString().replace(".java", "");
                sources.put(name, text(file));
              });
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
