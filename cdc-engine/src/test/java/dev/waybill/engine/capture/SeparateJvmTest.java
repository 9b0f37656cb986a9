package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.ChildJvm;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** What depends on how the JVM was started. */
class SeparateJvmTest {

  private static String capture(Outbox outbox, Position start, String... jvmOptions) {
    try (ChildJvm jvm =
        ChildJvm.builder(CaptureMain.class)
            .jvmOptions(jvmOptions)
            .environment("LC_ALL", "C")
            .arguments(
                outbox.config().login().url(),
                outbox.config().engine(),
                ((PostgresPosition) start).lsnText())
            .start()) {
      return jvm.awaitLine(line -> line.contains(" rows, the last "), Duration.ofMinutes(3));
    }
  }

  @Test
  void c01_the_jvms_charset_plays_no_part() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      Position start = outbox.begin();
      String text = "\"😀é'\\\"\\\\\"";
      outbox.execute(
          "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)"
              + " VALUES ('e', 'Ordér😀', '1', 'E', "
              + Sql.literal(text)
              + ")");
      outbox.insert("end");
      assertThat(capture(outbox, start, "-Dfile.encoding=ISO-8859-1"))
          .isEqualTo("1 rows, the last " + hex("Ordér😀") + " " + hex(text));
    }
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void c15_a_transaction_of_100_000_rows_needs_little_memory() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      Position start = outbox.begin();
      outbox.execute(
          "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)"
              + " SELECT n, 'Order', n % 100, 'E', to_json(repeat(md5(n::text), 32))"
              + " FROM generate_series(1, 100000) n");
      outbox.insert("end");
      assertThat(capture(outbox, start, "-Xmx128m")).startsWith("100000 rows, ");
    }
  }

  /** Read ahead is bounded by bytes, too: 400 rows of a megabyte. */
  @Test
  void large_rows_need_little_memory() throws Exception {
    try (Outbox outbox = Outbox.create()) {
      Position start = outbox.begin();
      outbox.execute(
          "INSERT INTO outbox_event (event_id, aggregate_type, aggregate_id, event_type, payload)"
              + " SELECT n, 'Order', n % 100, 'E', to_json(repeat(md5(n::text), 32768))"
              + " FROM generate_series(1, 400) n");
      outbox.insert("end");
      assertThat(capture(outbox, start, "-Xmx384m")).startsWith("400 rows, ");
    }
  }
}
