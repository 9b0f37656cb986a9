/** Kafka behind one door: events, parked events and progress. */
@NullMarked
package dev.waybill.engine.publish;

import org.jspecify.annotations.NullMarked;
