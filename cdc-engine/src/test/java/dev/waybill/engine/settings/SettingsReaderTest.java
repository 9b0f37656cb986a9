package dev.waybill.engine.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsReaderTest {

  private static final Key<String> NAME = Key.required("engine.name", Type.text(), "its name");
  private static final Key<String> PASSWORD =
      Key.optional("source.password", Type.text(), "of the user").secret();
  private static final Key<List<String>> TABLE =
      Key.of("source.table", Type.text().list(), "public.outbox_event", "the table");
  private static final Key<Integer> PORT =
      Key.of("http.port", Type.integer(0, 65_535), "8089", "the port");
  private static final Key<Boolean> ENABLED =
      Key.of("http.enabled", Type.bool(), "true", "whether");
  private static final Key<Duration> BACK_OFF =
      Key.of(
          "supervisor.back-off",
          Type.duration(Duration.ofMillis(10), Duration.ofMinutes(1)),
          "500ms",
          "the pause");
  private static final Keys KEYS =
      new Keys(
          List.of(NAME, PASSWORD, TABLE, PORT, ENABLED, BACK_OFF),
          Map.of("publish.kafka.", "for Kafka"));

  private static Settings read(String yaml, Map<String, String> environment) {
    return new SettingsReader(KEYS, environment).read("waybill.yaml", yaml);
  }

  private static Settings read(String yaml) {
    return read(yaml, Map.of());
  }

  @Test
  void takesValuesFromTheFileAndDefaultsForTheRest() {
    Settings settings = read("engine: { name: shop }\nhttp:\n  port: 80\n");
    assertThat(settings.problems()).isEmpty();
    assertThat(settings.get(NAME)).isEqualTo("shop");
    assertThat(settings.get(PORT)).isEqualTo(80);
    assertThat(settings.get(BACK_OFF)).isEqualTo(Duration.ofMillis(500));
    assertThat(settings.find(PASSWORD)).isEmpty();
  }

  @Test
  void readsAListAsAListAndOneNameAsAListOfOne() {
    assertThat(read("engine.name: x\nsource: { table: [a.b, c.d] }").get(TABLE))
        .containsExactly("a.b", "c.d");
    assertThat(read("engine.name: x\nsource: { table: a.b }").get(TABLE)).containsExactly("a.b");
  }

  @Test
  void keepsValuesAsTheyAreWritten() {
    Settings settings = read("engine: { name: 010 }\nsource: { password: yes }");
    assertThat(settings.get(NAME)).isEqualTo("010");
    assertThat(settings.get(PASSWORD)).isEqualTo("yes");
  }

  @Test
  void prefersTheEnvironment() {
    Settings settings =
        read(
            "engine: { name: shop }\nhttp: { port: 80 }",
            Map.of("WAYBILL_HTTP_PORT", "81", "WAYBILL_SUPERVISOR_BACK_OFF", "2s"));
    assertThat(settings.problems()).isEmpty();
    assertThat(settings.get(PORT)).isEqualTo(81);
    assertThat(settings.get(BACK_OFF)).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void handsOnWhatIsPassedThroughFromFileAndEnvironment() {
    Settings settings =
        read(
            "engine.name: x\npublish: { kafka: { bootstrap.servers: 'a:1', linger.ms: 3 } }",
            Map.of("WAYBILL_PUBLISH_KAFKA_BOOTSTRAP_SERVERS", "b:1"));
    assertThat(settings.problems()).isEmpty();
    assertThat(settings.below("publish.kafka."))
        .isEqualTo(Map.of("bootstrap.servers", "b:1", "linger.ms", "3"));
  }

  @Test
  void leavesVariablesOfOthersAlone() {
    Settings settings =
        read(
            "engine.name: x",
            Map.of("WAYBILL_SERVICE_HOST", "10.0.0.1", "WAYBILL_PORT_8089_TCP", "tcp://…"));
    assertThat(settings.problems()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "source.pasword, source.password",
    "password, source.password",
    "sauce.password, source.password",
    "engine, engine.name",
    "http.ports, http.port",
    "kafka.bootstrap.servers, publish.kafka.*",
    "publish.kafak.acks, publish.kafka.*",
    "supervisor.backoff, supervisor.back-off"
  })
  void namesAnUnknownKeyAndTheNearestRightOne(String wrong, String right) {
    assertThat(read("engine.name: x\n" + wrong + ": hunter2").problems())
        .singleElement()
        .asString()
        .startsWith(wrong + " (waybill.yaml, line 2) ")
        .endsWith("nearest one is " + right)
        .doesNotContain("hunter2");
  }

  @Test
  void namesAnUnknownVariable() {
    assertThat(read("engine.name: x", Map.of("WAYBILL_SOURCE_PASWORD", "hunter2")).problems())
        .containsExactly(
            "source.pasword (WAYBILL_SOURCE_PASWORD) is no key of Waybill;"
                + " the nearest one is source.password");
  }

  @ParameterizedTest
  @CsvSource({
    "http.port, eighty, a whole number from 0 to 65535",
    "http.port, 65536, a whole number from 0 to 65535",
    "http.port, -1, a whole number from 0 to 65535",
    "http.port, 99999999999, a whole number from 0 to 65535",
    "http.enabled, yes, false or true",
    "supervisor.back-off, 5, 'a duration from 10ms to 1m, such as 500ms or 10s'",
    "supervisor.back-off, 5ms, 'a duration from 10ms to 1m, such as 500ms or 10s'",
    "supervisor.back-off, 61s, 'a duration from 10ms to 1m, such as 500ms or 10s'",
  })
  void namesAWrongValueAndWhatIsExpected(String key, String value, String expected) {
    assertThat(read("engine.name: x\n" + key + ": " + value).problems())
        .containsExactly(
            key + " (waybill.yaml, line 2) is \"" + value + "\": expected " + expected);
  }

  @Test
  void neverShowsASecret() {
    Key<Integer> pin = Key.of("source.pin", Type.integer(0, 9), "1", "a pin").secret();
    Settings settings =
        new SettingsReader(new Keys(List.of(pin), Map.of()), Map.of())
            .read("f", "source.pin: hunter2");
    assertThat(settings.problems())
        .singleElement()
        .asString()
        .contains("source.pin")
        .doesNotContain("hunter2");
  }

  @Test
  void reportsEverythingTogether() {
    Settings settings =
        read("http: { port: no, prot: 1 }\nsupervisor: { back-off: soon }", Map.of());
    assertThat(settings.problems())
        .hasSize(4)
        .anyMatch(problem -> problem.startsWith("engine.name is not set"))
        .anyMatch(problem -> problem.startsWith("http.port "))
        .anyMatch(problem -> problem.startsWith("http.prot "))
        .anyMatch(problem -> problem.startsWith("supervisor.back-off "));
  }

  @Test
  void treatsAnEmptyValueAsNotSet() {
    assertThat(read("engine: { name: }\nhttp: { port: '' }").problems())
        .singleElement()
        .asString()
        .startsWith("engine.name is not set");
  }

  @Test
  void putsInVariablesDefaultsAndFilesAndLooksAtThemNoMore(@TempDir Path folder)
      throws IOException {
    Path secret = Files.writeString(folder.resolve("password"), "a$$b\\${NAME}\n");
    String yaml =
        "engine: { name: 'x-${NAME}-${OTHER:or}' }\n"
            + "source: { password: '${file:"
            + secret
            + "}' }\n"
            + "publish: { kafka: { a: '${PLAIN}' } }";
    Settings settings = read(yaml, Map.of("NAME", "shop", "PLAIN", "$1 ${NAME} $$"));
    assertThat(settings.problems()).isEmpty();
    assertThat(settings.get(NAME)).isEqualTo("x-shop-or");
    assertThat(settings.get(PASSWORD)).isEqualTo("a$$b\\${NAME}");
    assertThat(settings.below("publish.kafka.")).containsEntry("a", "$1 ${NAME} $$");
  }

  @Test
  void namesTheVariableOrFileThatIsMissing() {
    assertThat(read("engine.name: '${NOPE}'\nsource.password: '${file:/no/such}'").problems())
        .satisfiesExactlyInAnyOrder(
            problem ->
                assertThat(problem)
                    .isEqualTo(
                        "engine.name (waybill.yaml, line 1) uses ${NOPE},"
                            + " but no environment variable of that name is set"),
            problem -> assertThat(problem).startsWith("source.password ").contains("/no/such"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a:\n\tb: 1",
        "engine:\n- [",
        "engine:\n- { name: x }",
        "engine.name: x\n---\nother: document",
        "http:\n  ? [1, 2]\n  : 3"
      })
  void namesTheLineOfWhatItCannotRead(String yaml) {
    assertThatThrownBy(() -> read(yaml))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("waybill.yaml, line 2: cannot be read: ");
  }

  @Test
  void namesBothLinesOfAKeyThatIsSetTwice() {
    assertThat(read("engine: { name: x }\n\nengine.name: y").problems())
        .containsExactly(
            "engine.name (waybill.yaml, line 3) was set before (waybill.yaml, line 1)");
  }

  @Test
  void endsWhereAliasesWouldNot() {
    assertThatThrownBy(() -> read("a: &loop\n  b: *loop"))
        .isInstanceOf(ConfigurationException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"- a\n- b", "just text"})
  void refusesAFileWithoutKeys(String yaml) {
    assertThatThrownBy(() -> read(yaml))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("it holds no \"key: value\" lines");
  }

  @Test
  void takesAnEmptyFileAsOneThatSetsNothing() {
    assertThat(read("", Map.of("WAYBILL_ENGINE_NAME", "shop")).get(NAME)).isEqualTo("shop");
  }
}
