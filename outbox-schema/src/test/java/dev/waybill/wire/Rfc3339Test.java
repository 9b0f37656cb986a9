package dev.waybill.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc3339Test {

  private static final long YEAR_0 = Instant.parse("0000-01-01T00:00:00Z").getEpochSecond();
  private static final long YEAR_10000 = Instant.parse("+10000-01-01T00:00:00Z").getEpochSecond();

  @ParameterizedTest
  @CsvSource({
    "2026-11-30T12:34:56.123456Z,      2026-11-30T12:34:56.123456Z",
    "2026-03-29T02:30:00.123456789Z,   2026-03-29T02:30:00.123456Z",
    "1969-12-31T23:59:59.999999999Z,   1969-12-31T23:59:59.999999Z",
    "1970-01-01T00:00:00Z,             1970-01-01T00:00:00.000000Z",
    "0000-01-01T00:00:00Z,             0000-01-01T00:00:00.000000Z",
    "9999-12-31T23:59:59.999999999Z,   9999-12-31T23:59:59.999999Z",
  })
  void writesMicrosecondsInUtc(Instant time, String text) {
    assertThat(write(time)).isEqualTo(text);
  }

  @Test
  void writesWhatAFormatterWouldWrite() {
    DateTimeFormatter formatter =
        DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    Random random = new Random(3339);
    for (int i = 0; i < 20_000; i++) {
      Instant time =
          Instant.ofEpochSecond(random.nextLong(YEAR_0, YEAR_10000), random.nextInt(1_000_000_000));
      assertThat(write(time)).isEqualTo(formatter.format(time));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"+10000-01-01T00:00:00Z", "-0001-12-31T23:59:59Z"})
  void leavesOutWhatItCannotWrite(Instant time) {
    assertThat(Rfc3339.write(time)).isNull();
    assertThat(Rfc3339.write(Instant.MAX)).isNull();
    assertThat(Rfc3339.write(Instant.MIN)).isNull();
  }

  @Test
  void readsEveryOffsetAndNothingElse() {
    assertThat(Rfc3339.read("2026-11-30T14:34:56.5+02:00")).isEqualTo("2026-11-30T12:34:56.5Z");
    assertThat(Rfc3339.read("2026-11-30t12:34:56z")).isEqualTo("2026-11-30T12:34:56Z");
    assertThat(Rfc3339.read("yesterday")).isNull();
    assertThat(Rfc3339.read("2026-11-30T12:34:56")).isNull();
  }

  private static @Nullable String write(Instant time) {
    byte[] written = Rfc3339.write(time);
    return written == null ? null : new String(written, US_ASCII);
  }
}
