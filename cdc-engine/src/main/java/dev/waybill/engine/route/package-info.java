/** A pure decision for each change: publish, park or skip. No I/O, no clock. */
@NullMarked
package dev.waybill.engine.route;

import org.jspecify.annotations.NullMarked;
