/** The database's log behind one door: Debezium and its types stop here. */
@NullMarked
package dev.waybill.engine.capture;

import org.jspecify.annotations.NullMarked;
