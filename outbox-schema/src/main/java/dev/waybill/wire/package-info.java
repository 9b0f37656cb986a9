/**
 * The contract between engine and consumers, without any Kafka class: how an event looks as a
 * record, and what the topics are called.
 *
 * <p>Engine and consumer never see each other's code; whatever they must agree on is in this
 * package and nowhere else:
 *
 * <ul>
 *   <li>{@link dev.waybill.wire.TopicTemplate} and {@link dev.waybill.wire.TopicNames}: where an
 *       event goes, and the topics that are Waybill's own;
 *   <li>{@link dev.waybill.wire.EventEncoder}: an event as a record, in the binary mode of the
 *       CloudEvents 1.0 Kafka binding or with the headers of Debezium's outbox router;
 *   <li>{@link dev.waybill.wire.EventDecoder}: a record of either kind as an event;
 *   <li>{@link dev.waybill.wire.HeaderNames} and {@link dev.waybill.wire.ParkedHeaders}: every
 *       header name that is written or read.
 * </ul>
 *
 * <p>Text is UTF-8 in keys, values and headers, whatever the JVM's default. The payload is never
 * looked into: its bytes are the value. Encoding is deterministic, so that an event which is sent
 * again after a crash is the same bytes again.
 */
@NullMarked
package dev.waybill.wire;

import org.jspecify.annotations.NullMarked;
