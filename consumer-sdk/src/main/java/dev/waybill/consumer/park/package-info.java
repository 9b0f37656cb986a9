/**
 * Sets events aside that cannot be handled: the only package that knows the Kafka producer and the
 * admin client.
 *
 * <p>A parked event is the record as it came, with headers that say why and whence behind its own.
 * It is written at least once: after a crash between the broker's acknowledgement and the commit of
 * the offset the event is tried again, and parked again if it fails again.
 */
@NullMarked
package dev.waybill.consumer.park;

import org.jspecify.annotations.NullMarked;
