/** The outbox table: its columns, its SQL, and appending to it in the caller's transaction. */
@NullMarked
package dev.waybill.outbox;

import org.jspecify.annotations.NullMarked;
