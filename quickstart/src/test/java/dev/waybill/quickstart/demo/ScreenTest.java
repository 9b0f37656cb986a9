package dev.waybill.quickstart.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenTest {

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final SettableClock clock = new SettableClock();

  @Test
  void paintsTheBlockAnewOnATerminal() {
    Screen screen = screen(true);
    screen.show(List.of("one", "two"));
    screen.say("news");
    screen.show(List.of("three"));
    screen.settle();
    screen.print("end");

    assertThat(written())
        .isEqualTo("one\ntwo\n\033[2A\033[J00:00  news\none\ntwo\n\033[2A\033[Jthree\nend\n");
  }

  @Test
  void writesPlainLinesFromTimeToTimeElsewhere() {
    Screen screen = screen(false);
    screen.show(List.of("at once"));
    clock.seconds = 61;
    screen.show(List.of("after a minute"));
    screen.show(List.of("right after it"));
    screen.say("news");

    assertThat(written()).isEqualTo("01:01  after a minute\n01:01  news\n");
  }

  private Screen screen(boolean terminal) {
    return new Screen(new PrintStream(written, true, UTF_8), terminal, clock);
  }

  private String written() {
    return written.toString(UTF_8);
  }

  private static final class SettableClock extends Clock {

    private long seconds;

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochSecond(seconds);
    }
  }
}
