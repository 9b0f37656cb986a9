package dev.waybill.engine.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProgressFormatTest {

  private static final Progress PROGRESS =
      new Progress(
          Progress.Phase.STREAMING,
          Map.of("system", "7311", "database", "é"),
          Map.of("xid", "731", "lsn", "0/1A2B3C8"));

  @Test
  void itIsReadableAndTheSameEveryTime() {
    assertThat(new String(ProgressFormat.write(PROGRESS, 4711), UTF_8))
        .isEqualTo(
            "{\"version\":1,\"phase\":\"streaming\",\"since\":4711,"
                + "\"identity\":{\"database\":\"é\",\"system\":\"7311\"},"
                + "\"position\":{\"lsn\":\"0/1A2B3C8\",\"xid\":\"731\"}}");
  }

  @Test
  void whatIsWrittenIsRead() {
    assertThat(ProgressFormat.read(ProgressFormat.write(PROGRESS, 4711), "here"))
        .isEqualTo(PROGRESS);
  }

  @Test
  void membersThatAreNotKnownAreLeftAlone() {
    Progress read =
        read("{\"version\":1,\"phase\":\"initialising\",\"identity\":{},\"position\":{},\"x\":[]}");

    assertThat(read).isEqualTo(new Progress(Progress.Phase.INITIALISING, Map.of(), Map.of()));
  }

  @Test
  void whoSaysNothingOfItHasSeenNothing() {
    assertThat(ProgressFormat.since(ProgressFormat.write(PROGRESS, 4711))).isEqualTo(4711);
    assertThat(ProgressFormat.since("{\"version\":1}".getBytes(UTF_8))).isZero();
    assertThat(ProgressFormat.since("garbage".getBytes(UTF_8))).isZero();
  }

  @Test
  void aNewerVersionIsRefusedWithTheRemedy() {
    assertThatThrownBy(() -> read("{\"version\":2}"))
        .isInstanceOf(ProgressUnreadableException.class)
        .hasMessageContaining("version 2")
        .hasMessageContaining("start that version");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "null",
        "[]",
        "{}",
        "{\"version\":1}",
        "{\"version\":1,\"phase\":\"leading\",\"identity\":{},\"position\":{}}",
        "{\"version\":1,\"phase\":\"streaming\",\"identity\":{}}",
      })
  void whatIsNoProgressIsRefused(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(ProgressUnreadableException.class)
        .hasMessageContaining("here");
  }

  private static Progress read(String text) {
    return ProgressFormat.read(text.getBytes(UTF_8), "here");
  }
}
