/** How far the source may forget; never past a gap. */
@NullMarked
package dev.waybill.engine.acknowledge;

import org.jspecify.annotations.NullMarked;
