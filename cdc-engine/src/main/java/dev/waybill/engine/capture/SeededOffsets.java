package dev.waybill.engine.capture;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.storage.MemoryOffsetBackingStore;
import org.jspecify.annotations.Nullable;

/**
 * Debezium's offsets, in memory, with one to start from. Made by Debezium; safe for use by many
 * threads.
 */
public final class SeededOffsets extends MemoryOffsetBackingStore {

  /** The setting that holds the first offset, as JSON. */
  static final String START = "waybill.start";

  private volatile byte @Nullable [] start;

  @Override
  public void configure(WorkerConfig config) {
    super.configure(config);
    if (config.originals().get(START) instanceof String json) {
      start = json.getBytes(StandardCharsets.UTF_8);
    }
  }

  /** An engine has one partition: whichever it asks for is ours. */
  @Override
  public Future<Map<ByteBuffer, ByteBuffer>> get(Collection<ByteBuffer> keys) {
    return executor.submit(
        () -> {
          Map<ByteBuffer, ByteBuffer> found = new HashMap<>();
          for (ByteBuffer key : keys) {
            ByteBuffer value = data.get(key);
            if (value != null) {
              found.put(key, value);
            } else if (start != null) {
              found.put(key, ByteBuffer.wrap(start));
            }
          }
          return found;
        });
  }

  @Override
  public Set<Map<String, Object>> connectorPartitions(String connectorName) {
    return Set.of();
  }
}
