package dev.waybill.consumer.park;

import dev.waybill.consumer.poll.PolledRecord;
import dev.waybill.event.Event;
import dev.waybill.wire.ParkedHeaders;
import dev.waybill.wire.TopicNames;
import dev.waybill.wire.WireHeader;
import dev.waybill.wire.WireRecord;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A parked event as a record: key, value and headers as they came, and behind them why and whence.
 * Headers of an earlier parking are taken off. Pure.
 */
final class ParkedEncoder {

  private static final int MAX_MESSAGE = 1_000;
  private static final int MAX_STACK = 8_000;

  private ParkedEncoder() {}

  /**
   * @param now the time of the record, so that no retention deletes it on arrival; the original's
   *     is in a header
   */
  static WireRecord encode(ParkedEvent parked, String group, Instant now) {
    PolledRecord polled = parked.polled();
    WireRecord original = polled.record();
    List<WireHeader> headers = new ArrayList<>(original.headers());
    headers.removeIf(header -> ParkedHeaders.isParkedHeader(header.name()));
    headers.add(WireHeader.of(ParkedHeaders.REASON, bounded(parked.sentence(), MAX_MESSAGE)));
    headers.add(WireHeader.of(ParkedHeaders.GROUP, group));
    headers.add(WireHeader.of(ParkedHeaders.TOPIC, original.topic()));
    headers.add(
        WireHeader.of(ParkedHeaders.PARTITION, Integer.toString(polled.partition().number())));
    headers.add(WireHeader.of(ParkedHeaders.OFFSET, Long.toString(polled.offset())));
    headers.add(
        WireHeader.of(
            ParkedHeaders.TIMESTAMP, Instant.ofEpochMilli(original.timestamp()).toString()));
    headers.add(WireHeader.of(ParkedHeaders.ATTEMPTS, Integer.toString(parked.attempts())));
    headers.add(WireHeader.of(ParkedHeaders.FIRST_FAILED_AT, parked.firstFailedAt().toString()));
    headers.add(WireHeader.of(ParkedHeaders.LAST_FAILED_AT, parked.lastFailedAt().toString()));
    Event event = parked.event();
    if (event != null) {
      headers.add(WireHeader.of(ParkedHeaders.EVENT_ID, event.id()));
    }
    addFailure(headers, parked);
    return new WireRecord(
        TopicNames.parked(original.topic(), group),
        original.key(),
        original.value(),
        headers,
        now.toEpochMilli());
  }

  private static void addFailure(List<WireHeader> headers, ParkedEvent parked) {
    Throwable failure = parked.failure();
    if (failure == null) {
      return;
    }
    headers.add(WireHeader.of(ParkedHeaders.EXCEPTION, failure.getClass().getName()));
    headers.add(
        WireHeader.of(
            ParkedHeaders.MESSAGE, bounded(String.valueOf(failure.getMessage()), MAX_MESSAGE)));
    StringWriter stack = new StringWriter();
    failure.printStackTrace(new PrintWriter(stack));
    headers.add(WireHeader.of(ParkedHeaders.STACK, bounded(stack.toString(), MAX_STACK)));
  }

  private static String bounded(String text, int length) {
    return text.length() <= length ? text : text.substring(0, length) + "…";
  }
}
