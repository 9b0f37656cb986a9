package dev.waybill.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.engine.settings.Key;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What {@code docs/} says of keys, states and meters is what the code has. */
class DocumentationTest {

  private static final Path DOCS = Path.of("..", "docs");

  private static List<String> lines(String file) throws IOException {
    return Files.readAllLines(DOCS.resolve(file));
  }

  private static List<String> rows(String file, String pattern) throws IOException {
    return lines(file).stream().filter(line -> line.matches(pattern)).toList();
  }

  @Test
  void configurationListsEveryKey() throws IOException {
    List<String> expected =
        EngineConfig.keys().keys().stream().map(DocumentationTest::row).toList();
    assertThat(rows("configuration.md", "\\| `[a-z]+\\.[a-z.-]+` \\|.*"))
        .containsExactlyElementsOf(expected);
  }

  private static String row(Key<?> key) {
    String defaultText = key.defaultText() == null ? "" : "`" + key.defaultText() + "`";
    return "| `%s` | %s | %s | %s |"
        .formatted(
            key.name(),
            key.isRequired() ? "**required**" : defaultText,
            key.expects(),
            key.description());
  }

  @Test
  void configurationListsWhatIsPassedThrough() throws IOException {
    List<String> expected =
        new TreeMap<>(EngineConfig.keys().passThrough())
            .entrySet().stream()
                .map(entry -> "| `%s*` | %s |".formatted(entry.getKey(), entry.getValue()))
                .toList();
    assertThat(rows("configuration.md", "\\| `[a-z.]+\\*` \\|.*"))
        .containsExactlyElementsOf(expected);
  }

  @Test
  void operationsListsEveryState() throws IOException {
    String text = String.join("\n", lines("operations.md"));
    for (EngineState state : EngineState.values()) {
      assertThat(text).contains("| `" + state + "` |");
    }
  }

  @Test
  void operationsListsEveryMeter() throws IOException {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (EngineMeters meters = new EngineMeters("shop", registry, Clock.systemUTC())) {
      meters.watch(() -> EngineState.NEW, () -> 1);
      List<String> served =
          Pattern.compile("# TYPE (waybill_[a-z_]+) ")
              .matcher(registry.scrape())
              .results()
              .map((MatchResult match) -> match.group(1))
              .sorted()
              .toList();
      List<String> documented =
          rows("operations.md", "\\| `waybill_.*").stream()
              .map(row -> row.replaceFirst("\\| `(waybill_[a-z_]+).*", "$1"))
              .sorted()
              .toList();
      assertThat(documented).containsExactlyElementsOf(served);
    }
  }
}
