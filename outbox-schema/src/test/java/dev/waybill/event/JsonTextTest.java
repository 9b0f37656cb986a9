package dev.waybill.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * That it agrees with PostgreSQL about mutated texts is shown in {@code
 * dev.waybill.outbox.JsonAsPostgresReadsItTest}.
 */
class JsonTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "null",
        "true",
        "false",
        "0",
        "-0.0",
        "12345678901234567890123",
        "199.00",
        "1e3",
        "1E+3",
        "1e-7",
        "\"\"",
        "\"x\"",
        "\"\\u0000\\ud83d\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"😀é'\"",
        " { \"a\" : [ 1 , { } , [ ] ] , \"a\" : null }\r\n\t",
        "{\"\":{\"\":[[],{}]}}"
      })
  void isJson(String text) {
    assertThat(JsonText.problem(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|a value expected at index 0, but found the end",
        "` `|a value expected at index 1, but found the end",
        "{|a name in quotes expected at index 1, but found the end",
        "{\"a\"}|':' expected at index 4, but found '}'",
        "{\"a\":1,}|a name in quotes expected at index 7, but found '}'",
        "[1,]|a value expected at index 3, but found ']'",
        "[1 2]|',' or ']' expected at index 3, but found '2'",
        "[1}|',' or ']' expected at index 2, but found '}'",
        "{\"a\":1]|',' or '}' expected at index 6, but found ']'",
        "{} {}|the end expected at index 3, but found '{'",
        "01|the end expected at index 1, but found '1'",
        "1.|a value expected at index 2, but found the end",
        "-|a value expected at index 1, but found the end",
        "1e|a value expected at index 2, but found the end",
        "tru|true expected at index 0, but found 't'",
        "nul|null expected at index 0, but found 'n'",
        "NaN|a value expected at index 0, but found 'N'",
        "\"abc|the end of a string, or an escape, expected at index 4, but found the end",
        "\"\\x\"|one of \" \\ / b f n r t u expected at index 2, but found 'x'",
        "\"\\u00g0\"|a hexadecimal digit expected at index 5, but found 'g'",
        "'a'|a value expected at index 0, but found '''",
      })
  void isNotJson(String text, String problem) {
    assertThat(JsonText.problem(text)).isEqualTo("is not JSON: " + problem);
  }

  @Test
  void controlCharactersMustBeEscaped() {
    assertThat(JsonText.problem("\"a\tb\"")).endsWith("at index 2, but found U+0009");
    assertThat(JsonText.problem("\"\0\"")).endsWith("at index 1, but found U+0000");
  }

  @Test
  void anyDepthIsRead() {
    String deep = "[{\"a\":".repeat(200_000) + "1" + "}]".repeat(200_000);

    assertThat(JsonText.problem(deep)).isNull();
    assertThat(JsonText.problem(deep + "]")).contains("the end expected at index 1600001");
  }
}
