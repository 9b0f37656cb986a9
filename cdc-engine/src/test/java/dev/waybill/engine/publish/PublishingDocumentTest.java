package dev.waybill.engine.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.wire.ParkedHeaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What {@code docs/publishing.md} says of properties and headers is what the code has. */
final class PublishingDocumentTest {

  private static final Pattern PROPERTY =
      Pattern.compile("\\| `([a-z.]+\\.[a-z.]+)` \\| `([a-z0-9]+)` \\|.*");
  private static final Pattern HEADER = Pattern.compile("\\| `(waybill_parked_[a-z_]+)` \\|.*");

  @Test
  void theDefaultsAreTheCodes() throws IOException {
    Map<String, String> documented = new TreeMap<>();
    for (String line : lines()) {
      Matcher row = PROPERTY.matcher(line);
      if (row.matches()) {
        documented.put(row.group(1), row.group(2));
      }
    }
    assertThat(documented).isEqualTo(KafkaProperties.DEFAULTS);
  }

  @Test
  void theHeadersOfParkedEventsAreTheWires() throws IOException {
    List<String> documented =
        lines().stream()
            .map(HEADER::matcher)
            .filter(Matcher::matches)
            .map(row -> row.group(1))
            .toList();

    assertThat(documented)
        .containsExactlyInAnyOrder(
            ParkedHeaders.REASON,
            ParkedHeaders.PARKED_AT,
            ParkedHeaders.TABLE,
            ParkedHeaders.ROW_ID,
            ParkedHeaders.EVENT_ID,
            ParkedHeaders.TOPIC,
            ParkedHeaders.ROW_HEADERS,
            ParkedHeaders.VALUE_LEFT_OUT,
            ParkedHeaders.HEADERS_LEFT_OUT);
  }

  private static List<String> lines() throws IOException {
    return Files.readAllLines(Path.of("..", "docs", "publishing.md"));
  }
}
