/**
 * What applications announce: events and their value types, as validated, immutable records.
 *
 * <p>{@link dev.waybill.event.OutboxEvent} is an event on its way into the outbox: it cannot exist
 * unless the database will take it and the engine can publish it. {@link dev.waybill.event.Event}
 * is what arrives downstream, where nothing but the id is certain. {@link
 * dev.waybill.event.EventRules} holds the limits that both ends and the tables share.
 */
@NullMarked
package dev.waybill.event;

import org.jspecify.annotations.NullMarked;
