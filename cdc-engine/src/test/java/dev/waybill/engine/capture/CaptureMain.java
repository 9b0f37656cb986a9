package dev.waybill.engine.capture;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;

/**
 * Captures in a JVM of its own until the event {@code end} has come, then prints how many rows
 * there were and what the last but one held.
 */
final class CaptureMain {

  private CaptureMain() {}

  /** Called with URL, name of the engine, and the LSN to start from. */
  public static void main(String[] args) throws Exception {
    SourceConfig config =
        SourceConfig.postgres(
            args[1], new SourceConfig.Login(args[0], "waybill_capture", "capture"), Outbox.TABLE);
    Source source = Source.open(config, Clock.systemUTC());
    Counting handler = new Counting();
    try (Capture capture = source.capture(source.position(Map.of("lsn", args[2])), handler)) {
      capture.awaitEnd(Duration.ofMinutes(5));
    } catch (EndOfMain e) {
      System.out.println(handler.rows + " rows, the last " + handler.last);
    }
    System.exit(0);
  }

  private static final class Counting implements BatchHandler {

    private int rows;
    private String last = "";

    @Override
    public void handle(CapturedBatch batch) throws InterruptedException {
      for (Change change : batch.changes()) {
        if ("end".equals(change.row().eventId())) {
          throw new EndOfMain();
        }
        rows++;
        last = describe(change.row());
      }
      batch.acknowledge();
    }

    private static String describe(OutboxRow row) {
      byte[] payload = row.payload();
      return hex(String.valueOf(row.aggregateType()).getBytes(StandardCharsets.UTF_8))
          + " "
          + (payload == null ? "null" : hex(payload));
    }

    private static String hex(byte[] bytes) {
      return HexFormat.of().formatHex(bytes, 0, Math.min(40, bytes.length));
    }
  }

  private static final class EndOfMain extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
