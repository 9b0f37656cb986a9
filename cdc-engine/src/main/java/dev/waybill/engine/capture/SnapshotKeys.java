package dev.waybill.engine.capture;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * Which rows a snapshot held, in 21 to 43 bytes each: a table of hashes of 128 bits, long enough
 * that no two rows share one. Filled by one thread, then asked by another.
 */
final class SnapshotKeys implements Overlap {

  private static final int LEAST_SLOTS = 1_024;
  private static final int LONGS = 2;

  private final String serverUuid;
  private final BinlogPlace end;
  private final MessageDigest digest = digest();

  /** Two numbers for each slot; an empty slot has two zeros. */
  private long[] slots = new long[LEAST_SLOTS * LONGS];

  private int size;

  /**
   * @param serverUuid of the server whose log it is
   * @param end as in {@link Overlap#end()}
   */
  SnapshotKeys(String serverUuid, BinlogPlace end) {
    this.serverUuid = serverUuid;
    this.end = end;
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  void add(Change change) {
    if (4L * size >= 3L * slots.length / LONGS) {
      grow();
    }
    ByteBuffer hash = hash(change);
    if (put(hash.getLong(), hash.getLong())) {
      size++;
    }
  }

  @Override
  public boolean covers(Change change) {
    ByteBuffer hash = hash(change);
    long first = hash.getLong();
    long second = hash.getLong();
    int slot = slot(first, second);
    return slots[slot] == first && slots[slot + 1] == second;
  }

  /**
   * Of the row's id and of its event's: were a row deleted and another inserted under its id, that
   * would be another event.
   */
  private ByteBuffer hash(Change change) {
    digest.reset();
    update(change.table());
    update(change.row().id());
    update(change.row().eventId());
    return ByteBuffer.wrap(digest.digest());
  }

  private void update(@Nullable String text) {
    byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, text == null ? -1 : bytes.length));
    digest.update(bytes);
  }

  /** Returns whether it was not there. */
  private boolean put(long first, long second) {
    int slot = slot(first, second);
    boolean isNew = slots[slot] == 0 && slots[slot + 1] == 0;
    slots[slot] = first;
    slots[slot + 1] = second;
    return isNew;
  }

  /** Where it is, or would be: the numbers are as good as random. */
  private int slot(long first, long second) {
    int slot = (int) Long.remainderUnsigned(first, slots.length / LONGS) * LONGS;
    while ((slots[slot] != 0 || slots[slot + 1] != 0)
        && (slots[slot] != first || slots[slot + 1] != second)) {
      slot = (slot + LONGS) % slots.length;
    }
    return slot;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[Math.multiplyExact(old.length, 2)];
    for (int i = 0; i < old.length; i += LONGS) {
      if (old[i] != 0 || old[i + 1] != 0) {
        put(old[i], old[i + 1]);
      }
    }
  }

  @Override
  public BinlogPlace end() {
    return end;
  }

  /**
   * Whether {@code position} is in the log that shows some of the rows again, and before its end.
   */
  boolean matters(MySqlPosition position) {
    return position.serverUuid().equals(serverUuid) && position.place().compareTo(end) < 0;
  }

  /** Forgets them all: the log will show none again. */
  void clear() {
    slots = new long[LONGS];
  }
}
