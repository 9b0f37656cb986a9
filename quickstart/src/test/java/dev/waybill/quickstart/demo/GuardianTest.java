package dev.waybill.quickstart.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GuardianTest {

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final Screen screen =
      new Screen(new PrintStream(written, true, UTF_8), false, Clock.systemUTC());

  @Test
  void triesAgainWhateverAStartFailsWith() throws InterruptedException {
    Stubborn part = new Stubborn();
    try (Guardian guardian = Guardian.of(part, screen)) {
      assertThat(part.running.await(30, TimeUnit.SECONDS)).as("started again").isTrue();
      assertThat(guardian).isNotNull();
    }

    assertThat(written.toString(UTF_8))
        .contains("stubborn does not run, trying again: ", "no more files");
  }

  /** A part that has ended and does not start at the first attempt. */
  private static final class Stubborn implements Part {

    private final CountDownLatch running = new CountDownLatch(1);
    private int attempts;

    @Override
    public String name() {
      return "stubborn";
    }

    @Override
    public void start() {
      if (++attempts == 1) {
        throw new UncheckedIOException(new IOException("no more files"));
      }
      running.countDown();
    }

    @Override
    public boolean isRunning() {
      return running.getCount() == 0;
    }

    @Override
    public boolean isDone() {
      return false;
    }

    @Override
    public long pid() {
      return 1;
    }
  }
}
