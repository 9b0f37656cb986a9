/**
 * A pure decision for each change: publish or park. No I/O, no clock.
 *
 * <p>A row is published as it is or not at all; nothing in it is rewritten to make it fit, since
 * two types, keys or events must never become one. It is parked when
 *
 * <ul>
 *   <li>its event id is NULL, blank or longer than 64 characters: consumers could not let it
 *       through once;
 *   <li>its topic, or the one that follows from its aggregate type, is no legal name, or the
 *       aggregate type that is needed for it is NULL or empty;
 *   <li>it has no key: neither event_key nor aggregate_id, or an empty one. A record without a key
 *       has no order, and one empty key for all would put what is unrelated into one order;
 *   <li>it has no event type, or an empty one, and is to be a CloudEvent, which must have one;
 *   <li>its headers are no JSON object of strings, have a name that only Waybill may write ({@code
 *       ce_*}, {@code content-type}; with the headers of Debezium's router {@code id} and {@code
 *       eventType}, too), or text that UTF-8 cannot write.
 * </ul>
 *
 * <p>A NULL payload is published as a tombstone with key and headers; an empty or blank one is a
 * value like any other. The payload's bytes are handed on, never read. An event without a time of
 * its own gets that of the commit.
 */
@NullMarked
package dev.waybill.engine.route;

import org.jspecify.annotations.NullMarked;
