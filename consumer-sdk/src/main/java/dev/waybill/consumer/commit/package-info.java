/** Knows the offset below which every event has an outcome: never past unfinished work. */
@NullMarked
package dev.waybill.consumer.commit;

import org.jspecify.annotations.NullMarked;
