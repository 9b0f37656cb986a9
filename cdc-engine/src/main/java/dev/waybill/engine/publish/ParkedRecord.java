package dev.waybill.engine.publish;

import dev.waybill.engine.capture.Change;
import dev.waybill.wire.ParkedHeaders;
import dev.waybill.wire.WireHeader;
import dev.waybill.wire.WireRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event that cannot be published, as it goes to the parked topic: the record that it would have
 * been, with {@link ParkedHeaders} behind its own headers. Its time is that of parking, so that
 * nothing is deleted on arrival.
 *
 * <p>It must fit whatever it is: a value that is too large is left out (it is still in the outbox),
 * then the event's headers and key. Immutable.
 */
record ParkedRecord(
    Change change,
    String parkedTopic,
    @Nullable String meantFor,
    byte @Nullable [] key,
    List<WireHeader> headers,
    String reason,
    Instant at) {

  private static final int MAX_TEXT = 1_000;

  WireRecord fitting(int limit) {
    byte[] value = change.row().payload();
    WireRecord whole = record(key, value, headers);
    if (fits(whole, limit)) {
      return whole;
    }
    WireRecord withoutValue = record(key, null, headers);
    return fits(withoutValue, limit) ? withoutValue : record(null, null, List.of());
  }

  private static boolean fits(WireRecord record, int limit) {
    return RecordSize.of(record.key(), record.value(), record.headers()) <= limit;
  }

  private WireRecord record(byte @Nullable [] key, byte @Nullable [] value, List<WireHeader> own) {
    List<WireHeader> all = new ArrayList<>(own);
    add(all, ParkedHeaders.REASON, reason);
    add(all, ParkedHeaders.TABLE, change.table());
    add(all, ParkedHeaders.ROW_ID, change.row().id());
    add(all, ParkedHeaders.EVENT_ID, change.row().eventId());
    add(all, ParkedHeaders.TOPIC, meantFor);
    add(all, ParkedHeaders.PARKED_AT, at.truncatedTo(ChronoUnit.MILLIS).toString());
    byte[] payload = change.row().payload();
    if (value == null && payload != null) {
      add(all, ParkedHeaders.VALUE_LEFT_OUT, Integer.toString(payload.length));
    }
    if (own.isEmpty() && !headers.isEmpty()) {
      add(all, ParkedHeaders.HEADERS_LEFT_OUT, Integer.toString(headers.size()));
    }
    return new WireRecord(parkedTopic, key, value, all, at.toEpochMilli());
  }

  private static void add(List<WireHeader> headers, String name, @Nullable String text) {
    if (text != null) {
      String bounded = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
      headers.add(WireHeader.of(name, bounded));
    }
  }
}
