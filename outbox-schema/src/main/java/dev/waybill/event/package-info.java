/** What applications announce: events and their value types, as validated, immutable records. */
@NullMarked
package dev.waybill.event;

import org.jspecify.annotations.NullMarked;
