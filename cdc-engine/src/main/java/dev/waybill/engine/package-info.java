/** The front door of the engine, the loop that joins its stages, and what keeps the loop alive. */
@NullMarked
package dev.waybill.engine;

import org.jspecify.annotations.NullMarked;
